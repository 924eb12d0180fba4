package import TimelineCore

extension ExpectedPath {
  /// Reads the environment file at the path. The file must be trusted by the rules of ``TrustedFile/contents(of:limit:)``.
  /// Returns `nil` if the file is missing and ``mayBeMissing`` is true.
  package func readEnvironment() throws(TrustedFileFault) -> EnvironmentFileText? {
    let bytes: [UInt8]
    do throws(TrustedFileFault) {
      bytes = try TrustedFile.contents(of: path, limit: JobLimits.environmentFileMax)
    } catch {
      if mayBeMissing, error.isMissing { return nil }
      var fault = error
      if error.isMissing { fault.remedy += "; or write a - in front of the path if it may be missing" }
      throw fault
    }
    guard let text = EnvironmentFileText(bytes) else {
      throw TrustedFileFault("\(path) is not UTF-8, or has a NUL", "save it as UTF-8")
    }
    return text
  }
}
