extension PluginTemplate {
  /// A plugin in Rust, without crates.
  static let rust = PluginTemplate(
    sharedLibrary: [
      File(path: "Cargo.toml", text: manifest), File(path: "src/lib.rs", text: source),
      File(path: "src/abi.rs", text: declarations),
    ], language: "Rust",
    needs: "It needs `rustc` 1.63 or later, and no crate. `cargo build --release` builds the same library.",
    build: """
      @name@.so: src/lib.rs src/abi.rs
      \tumask 022 && rustc --edition 2021 -O -C panic=abort --crate-type cdylib --crate-name plugin -o $@ src/lib.rs

      clean:
      \trm -rf target @name@.so
      """,
    where: """
      | `src/lib.rs` | the plugin |
      | `src/abi.rs` | `timelined_plugin.h` in Rust |
      """)

  private static let manifest = #"""
    [package]
    name = "@name@"
    version = "1.0.0"
    edition = "2021"

    [lib]
    crate-type = ["cdylib"]

    [profile.release]
    panic = "abort"

    """#

  private static let source = #"""
    //! A plugin of timelined: says a word, and counts its runs in the cursor.

    mod abi;

    use abi::*;
    use std::ffi::{c_void, CStr, CString};
    use std::os::raw::c_char;
    use std::{mem, ptr, thread, time::Duration};

    /// The job's parameters, `with` in its configuration. `timelinectl check` holds them to this.
    const SCHEMA: &str = concat!(
        r#"{"type": "object", "additionalProperties": false, "required": ["word"], "properties": {"#,
        r#""word": {"type": "string", "minLength": 1, "description": "The word that is said."},"#,
        r#""wait": {"type": "integer", "minimum": 0, "maximum": 3600, "default": 0,"#,
        r#" "description": "Seconds that a run takes."}}}"#,
        "\0"
    );

    /// The parameters of a job, checked.
    struct Job {
        word: String,
        wait: u64,
    }

    /// Calls `body` with `text` as C has it; a NUL in it ends nothing but the text.
    fn with_c<R>(text: &str, body: impl FnOnce(*const c_char) -> R) -> R {
        let text = CString::new(text.replace('\0', "\u{FFFD}")).unwrap_or_default();
        body(text.as_ptr())
    }

    unsafe extern "C" fn open(opening: *const Opening, instance: *mut *mut c_void) -> Status {
        let (host, opening) = (&*(*opening).host, &*opening);
        let word = (host.parameter_text)(opening.parameters, "/word\0".as_ptr().cast());
        if word.is_null() {
            with_c(
                "the parameter /word is no text, or missing: give one in the job's `with`",
                |text| (host.set_error)(opening.call, text),
            );
            return FAILED;
        }
        let mut wait = 0;
        (host.parameter_integer)(opening.parameters, "/wait\0".as_ptr().cast(), &mut wait);
        let word = CStr::from_ptr(word).to_string_lossy().into_owned();
        let job = Job { word, wait: u64::try_from(wait).unwrap_or(0) };
        *instance = Box::into_raw(Box::new(job)).cast();
        OK
    }

    unsafe extern "C" fn run(instance: *mut c_void, context: *const Context) -> Status {
        let (host, context, job) = (&*(*context).host, &*context, &*instance.cast::<Job>());
        let steps = job.wait * 100;
        for step in 0..steps {
            if (host.is_cancelled)(context.call) {
                return CANCELLED;
            }
            with_c("waiting", |text| (host.report_progress)(context.call, step as f64 / steps as f64, text));
            thread::sleep(Duration::from_millis(10));
        }
        let cursor: &[u8] = if context.cursor.is_null() {
            &[]
        } else {
            std::slice::from_raw_parts(context.cursor.cast(), context.cursor_length as usize)
        };
        let count = std::str::from_utf8(cursor).ok().and_then(|text| text.parse().ok()).unwrap_or(0u64) + 1;
        with_c(&job.word, |text| (host.log)(context.call, INFO, text, ptr::null()));
        let cursor = count.to_string();
        (host.set_cursor)(context.call, cursor.as_ptr().cast(), cursor.len() as u64);
        with_c(&format!("{}, run {}", job.word, count), |text| (host.set_result)(context.call, text));
        OK
    }

    unsafe extern "C" fn close(instance: *mut c_void) {
        drop(Box::from_raw(instance.cast::<Job>()));
    }

    static PLUGIN: Plugin = Plugin {
        struct_size: mem::size_of::<Plugin>() as u32,
        abi_oldest: ABI,
        abi_newest: ABI,
        reserved: 0,
        name: "@name@\0".as_ptr().cast(),
        version: "1.0\0".as_ptr().cast(),
        summary: "says a word\0".as_ptr().cast(),
        parameters_schema: SCHEMA.as_ptr().cast(),
        data: ptr::null_mut(),
        open: Some(open),
        run: Some(run),
        cancel: None,
        close: Some(close),
        instances_max: 0,
    };

    /// The one function that the plugin host looks up.
    #[no_mangle]
    pub extern "C" fn timelined_plugin_entry(_host: *const Host) -> *const Plugin {
        &PLUGIN
    }

    """#

  private static let declarations = #"""
    //! `timelined_plugin.h` of ABI 1. The header says who owns what, and which thread calls. Members at the end of a struct that a host
    //! may lack are left out here; `struct_size` tells.
    #![allow(dead_code)]

    use std::ffi::c_void;
    use std::os::raw::c_char;

    pub const ABI: u32 = 1;
    pub type Status = i32;
    pub const OK: Status = 0;
    pub const FAILED: Status = 1;
    pub const RETRY: Status = 2;
    pub const CANCELLED: Status = 3;
    pub const INFO: i32 = 1;
    pub const NO_DEADLINE: i64 = i64::MAX;

    /// A name that is handed back to the host.
    pub type Call = *mut c_void;
    pub type Parameters = *const c_void;
    type Pointer = *const c_char;

    #[repr(C)]
    pub struct Host {
        pub struct_size: u32,
        pub abi_oldest: u32,
        pub abi_newest: u32,
        pub reserved: u32,
        pub log: unsafe extern "C" fn(Call, i32, *const c_char, *const *const c_char),
        pub report_progress: unsafe extern "C" fn(Call, f64, *const c_char),
        pub is_cancelled: unsafe extern "C" fn(Call) -> bool,
        pub set_result: unsafe extern "C" fn(Call, *const c_char),
        pub set_error: unsafe extern "C" fn(Call, *const c_char),
        pub set_cursor: unsafe extern "C" fn(Call, *const c_void, u64) -> bool,
        pub parameter_kind: unsafe extern "C" fn(Parameters, Pointer) -> i32,
        pub parameter_json: unsafe extern "C" fn(Parameters, Pointer) -> *const c_char,
        pub parameter_text: unsafe extern "C" fn(Parameters, Pointer) -> *const c_char,
        pub parameter_integer: unsafe extern "C" fn(Parameters, Pointer, *mut i64) -> bool,
        pub parameter_number: unsafe extern "C" fn(Parameters, Pointer, *mut f64) -> bool,
        pub parameter_boolean: unsafe extern "C" fn(Parameters, Pointer, *mut bool) -> bool,
        pub parameter_count: unsafe extern "C" fn(Parameters, Pointer) -> u64,
        pub parameter_key: unsafe extern "C" fn(Parameters, Pointer, u64) -> *const c_char,
    }

    #[repr(C)]
    pub struct Opening {
        pub struct_size: u32,
        pub is_rehearsal: u32,
        pub host: *const Host,
        pub call: Call,
        pub parameters: Parameters,
        pub job: *const c_char,
        pub data: *mut c_void,
    }

    #[repr(C)]
    pub struct Context {
        pub struct_size: u32,
        pub attempt: u32,
        pub host: *const Host,
        pub call: Call,
        pub parameters: Parameters,
        pub job: *const c_char,
        pub run_key: *const c_char,
        pub nominal: i64,
        pub actual: i64,
        pub deadline: i64,
        pub entry_count: u64,
        pub cadence: i32,
        pub mode: i32,
        pub is_rehearsal: u32,
        pub previous_status: Status,
        pub previous_result: *const c_char,
        pub cursor: *const c_void,
        pub cursor_length: u64,
    }

    #[repr(C)]
    pub struct Plugin {
        pub struct_size: u32,
        pub abi_oldest: u32,
        pub abi_newest: u32,
        pub reserved: u32,
        pub name: *const c_char,
        pub version: *const c_char,
        pub summary: *const c_char,
        pub parameters_schema: *const c_char,
        pub data: *mut c_void,
        pub open: Option<unsafe extern "C" fn(*const Opening, *mut *mut c_void) -> Status>,
        pub run: Option<unsafe extern "C" fn(*mut c_void, *const Context) -> Status>,
        pub cancel: Option<unsafe extern "C" fn(*mut c_void, *const Context)>,
        pub close: Option<unsafe extern "C" fn(*mut c_void)>,
        pub instances_max: u64,
    }

    // The table is never changed.
    unsafe impl Sync for Plugin {}

    """#
}
