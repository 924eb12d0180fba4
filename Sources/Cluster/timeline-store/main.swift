StoreProgram.main(Array(CommandLine.arguments.dropFirst()))
