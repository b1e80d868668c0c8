/** JUnit's XML as programs write it (unit test reports at 14.0). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { filesIn, UnfitGzip } from './gzip.ts'
import { CaseReader, type TestCase, UnfitReport } from './junit.ts'
import { suiteName } from './test_reports.ts'

async function casesIn(...files: (string | Buffer)[]): Promise<TestCase[]> {
  const reader = new CaseReader()
  for await (const file of filesIn(Buffer.concat(files.map(file => gzipSync(file))))) await reader.read(file)
  return reader.cases
}

const testCase = (has: Partial<TestCase>): TestCase => ({
  status: 'success',
  name: 'n',
  classname: null,
  file: null,
  execution_time: 0,
  system_output: null,
  stack_trace: null,
  ...has,
})

describe('cases', () => {
  const table: [string, string, TestCase[]][] = [
    [
      'a suite alone, with names, a file and times',
      '<testsuite><testcase name="adds" classname="Sum" file="sum.rb" time="1.5"/></testsuite>',
      [testCase({ name: 'adds', classname: 'Sum', file: 'sum.rb', execution_time: 1.5 })],
    ],
    [
      'suites in suites',
      '<testsuites><testsuite><testsuite><testcase name="a"/></testsuite><testcase name="b"/></testsuite></testsuites>',
      [testCase({ name: 'a' }), testCase({ name: 'b' })],
    ],
    [
      'what fails says why: the text, or else the message',
      '<testsuite><testcase name="n"><failure message="short">long &lt;text&gt;</failure></testcase><testcase name="n"><failure message="short"/></testcase></testsuite>',
      [
        testCase({ status: 'failed', system_output: 'long <text>', message: 'short' }),
        testCase({ status: 'failed', system_output: 'short' }),
      ],
    ],
    [
      'a message that the text repeats, once',
      '<testsuite><testcase name="n"><failure message="short">in short: long</failure></testcase></testsuite>',
      [testCase({ status: 'failed', system_output: 'in short: long' })],
    ],
    [
      'errors, and what is skipped',
      '<testsuite><testcase name="n"><error><![CDATA[boom & more]]></error></testcase><testcase name="n"><skipped/></testcase></testsuite>',
      [testCase({ status: 'error', system_output: 'boom & more' }), testCase({ status: 'skipped' })],
    ],
    [
      'what was printed, where nothing else is said',
      '<testsuite><testcase name="n"><failure/><system-out>printed</system-out></testcase><testcase name="n"><system-out>printed</system-out></testcase></testsuite>',
      [testCase({ status: 'failed', system_output: 'printed' }), testCase({})],
    ],
    [
      'times with commas, and odd ones',
      '<t><testcase name="n" time="1,234.5"/><testcase name="n" time="soon"/></t>',
      [testCase({ execution_time: 1234.5 }), testCase({})],
    ],
    ['no case at all', '<?xml version="1.0"?><testsuite/>', []],
  ]
  for (const [what, xml, expected] of table)
    test(what, async () => {
      assert.deepEqual(await casesIn(xml), expected)
    })
})

describe('documents in other encodings than UTF-8', () => {
  const xml = (encoding: string) => `<?xml version="1.0" encoding='${encoding}'?><testsuite><testcase name="für"/></testsuite>`
  const utf16 = Buffer.from(`\uFEFF${xml('utf-16')}`, 'utf16le')
  const table: [string, Buffer][] = [
    ['as the declaration says', Buffer.from(xml('ISO-8859-1'), 'latin1')],
    ['by the mark at the beginning', utf16],
    ['by the mark, the higher byte first', Buffer.from(utf16).swap16()],
    ['a mark of UTF-8', Buffer.from(`\uFEFF${xml('UTF-8')}`)],
    ['UTF-8 for an encoding that nobody knows', Buffer.from(xml('klingon'))],
    ['UTF-8 for a document that says what it cannot be', Buffer.from(xml('UTF-16'))],
  ]
  for (const [what, bytes] of table)
    test(what, async () => {
      assert.deepEqual(await casesIn(bytes), [testCase({ name: 'für' })])
    })
})

test('a report of several files, packed one after the other, is one report', async () => {
  const xml = (name: string) => `<?xml version="1.0"?>\n<testsuite><testcase name="${name}"/></testsuite>\n`
  assert.deepEqual(await casesIn(xml('a'), xml('b'), xml('c')), [testCase({ name: 'a' }), testCase({ name: 'b' }), testCase({ name: 'c' })])
})

describe('reports that cannot be read', () => {
  const table: [string, string][] = [
    ['no XML', 'not xml'],
    ['XML that ends early', '<testsuite><testcase name="n">'],
    ['an unknown entity', '<t><testcase name="n"><failure>&lol;</failure></testcase></t>'],
    ['entities that multiply', '<!DOCTYPE t [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><t><testcase name="&b;"/></t>'],
    ['elements without end within each other', '<a>'.repeat(1_000)],
  ]
  for (const [what, xml] of table)
    test(what, async () => {
      await assert.rejects(casesIn(xml), UnfitReport)
    })

  test('what is no gzip, or not all of one', async () => {
    const packed = gzipSync('<testsuite/>'.repeat(10_000))
    const cases = [Buffer.from('<testsuite/>'), packed.subarray(0, 20), packed.subarray(0, 5), Buffer.concat([packed, Buffer.from('rest')])]
    for (const bytes of cases)
      await assert.rejects(async () => {
        for await (const file of filesIn(bytes)) for await (const _ of file);
      }, UnfitGzip)
  })

  test('a small file that becomes a large one', async () => {
    const packed = gzipSync(Buffer.concat([Buffer.from('<testsuite>'), Buffer.alloc(129 * 1024 * 1024, 32)]))
    assert.ok(packed.length < 200 * 1024)
    await assert.rejects(async () => {
      for await (const file of filesIn(packed)) await new CaseReader().read(file)
    }, new UnfitGzip('the report is too large'))
    const half = gzipSync(Buffer.alloc(65 * 1024 * 1024, 32))
    await assert.rejects(async () => {
      for await (const file of filesIn(Buffer.concat([half, half]))) for await (const _ of file);
    }, UnfitGzip)
  })

  test('more text than is kept', async () => {
    const reader = new CaseReader()
    const failure = `<testcase name="n"><failure>${'x'.repeat(60_000)}</failure></testcase>`
    async function* pieces() {
      yield Buffer.from('<testsuite>')
      for (let count = 0; count < 1_000; count++) yield Buffer.from(failure)
    }
    await assert.rejects(reader.read(pieces()), UnfitReport)
  })
})

test('parallel jobs are one suite, those of a matrix are several', () => {
  assert.deepEqual(['rspec', 'rspec 1/3', 'rspec 2/3', 'rspec: [a, b]', '1/2'].map(suiteName), [
    'rspec',
    'rspec',
    'rspec',
    'rspec: [a, b]',
    '1/2',
  ])
})
