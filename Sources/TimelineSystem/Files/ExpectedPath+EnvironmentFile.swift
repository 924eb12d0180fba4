package import TimelineCore

extension ExpectedPath {
  /// Reads the file of variables at the path, which must be trusted as ``TrustedFile/contents(of:limit:)`` says; `nil` if it is not there and may be missing.
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
