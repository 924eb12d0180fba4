import TimelineHosting
import TimelineSandbox

HostProgram.main(Array(CommandLine.arguments.dropFirst()), enterSandbox: SandboxEntry.enter)
