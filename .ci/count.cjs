// Prints the counts of a JSON report of vitest as `PASSED FAILED`, and on stderr each failed test with what it said.
const report = require(process.argv[2])
const tell = (name, text) => process.stderr.write(`FAILED: ${name}\n${text.slice(0, 2000)}\n`)

for (const file of report.testResults) {
  if (file.status === 'failed' && file.message) tell(file.name, file.message)
  for (const test of file.assertionResults)
    if (test.status === 'failed') tell(`${file.name} > ${test.fullName}`, test.failureMessages.join('\n'))
}
process.stdout.write(`${report.numPassedTests} ${report.numFailedTests}\n`)
