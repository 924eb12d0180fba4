import TimelineHosting

HostProgram.main(Array(CommandLine.arguments.dropFirst()))
