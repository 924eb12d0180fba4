// The way into a view: signed in, or through a form.

import { element } from "./elements.js";
import { session, signIn } from "./server.js";

/** Waits until the browser is signed in; returns what it may do. */
export async function enter() {
  const rights = await session();
  if (rights.isSignedIn) return rights;
  return new Promise((resolve) => {
    const token = element("input", { id: "token", type: "password", required: true, maxlength: "256", autocomplete: "current-password" });
    const fault = element("p", { role: "alert", class: "fault" });
    const form = element("form", { id: "sign-in" }, element("h2", {}, "Sign in"),
      element("label", {}, "Token", token), element("button", {}, "Sign in"), fault);
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      try {
        const rights = await signIn(token.value.trim());
        form.remove();
        resolve(rights);
      } catch (error) {
        fault.textContent = error.message;
      }
    });
    document.querySelector("main").append(form);
    token.focus();
  });
}
