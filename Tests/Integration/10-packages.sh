#!/bin/bash
# The installer of packages: what is there is left alone without a word, what is missing is named and installed, and
# who cannot install is told the command. Tried with stand-ins for dpkg, apt and sudo.
. "$(dirname "$0")/lib.sh"
scratch

packages=$checkout/.ci/packages
mkdir "$scratch/bin" "$scratch/empty"
cat >"$scratch/bin/dpkg-query" <<'END'
#!/bin/sh
case " $INSTALLED " in *" $4 "*) printf installed ;; *) exit 1 ;; esac
END
cat >"$scratch/bin/apt-get" <<'END'
#!/bin/sh
echo "apt-get $DEBIAN_FRONTEND $*" >>"$APT_LOG"
END
printf '#!/bin/sh\necho "$AS_UID"\n' >"$scratch/bin/id"
printf '#!/bin/sh\necho sudo >>"$APT_LOG"\nexec "$@"\n' >"$scratch/sudo"
chmod +x "$scratch"/bin/* "$scratch/sudo"
for tool in env sh; do ln -s "$(command -v $tool)" "$scratch/bin/$tool"; done

# try UID INSTALLED NAME...: runs the installer as that user on a machine with those packages and no other program.
try() {
  local as_uid=$1 installed=$2
  shift 2
  : >"$scratch/log"
  env -i PATH="$scratch/bin" APT_LOG="$scratch/log" AS_UID="$as_uid" INSTALLED="$installed" "$packages" "$@" </dev/null
}

check "nothing is said or done when all is there" is '' try 0 'one two' one two
check "no installer ran" test ! -s "$scratch/log"
check "what is missing is named" is '== installing two' try 0 one one two
check "apt installs what is missing and asks nothing" grep -q '^apt-get noninteractive -y .*install .* two$' "$scratch/log"
check "apt is not asked for what is there" fails grep -q ' one' "$scratch/log"
check "without sudo, who is not root is told the command" prints 'as root: apt-get install two' fails try 1000 one one two
cp "$scratch/sudo" "$scratch/bin/sudo"
check "who is not root installs by sudo" try 1000 one one two
check "sudo ran" grep -q '^sudo$' "$scratch/log"
rm "$scratch/bin/apt-get"
check "elsewhere than on Debian the build is tried all the same" prints 'this is no Debian' try 0 one one two
finish
