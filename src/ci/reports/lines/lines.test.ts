import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { openScene } from '../../../../test/scene.ts'
import { tasksOf } from '../../../server/tasks.ts'
import { uploadTo } from '../../artifacts/scene.ts'
import { runningJob } from '../../jobs/scene.ts'
import { UnfitReport } from '../junit.ts'
import { CoverageReader, pathsIn } from './cobertura.ts'
import { readCodeQuality } from './code_quality.ts'
import { lineReports } from './parse.ts'

const scene = await openScene()
const { db } = scene.deps.database

/** The text in pieces of a few bytes, so that all that is read crosses their borders. */
async function* pieces(text: string, size = 7): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const finding = (more: object = {}) => ({
  fingerprint: 'f1',
  description: 'Too "long", [it] is {so}',
  severity: 'major',
  check_name: 'length',
  location: { path: 'lib/a.ts', lines: { begin: 3 } },
  ...more,
})

test('a report of coverage names a limited number of files', async () => {
  async function* files() {
    for (let from = 0; from <= 100_000; from += 1_000)
      yield Buffer.from(
        `${from === 0 ? '<coverage>' : ''}${Array.from({ length: 1_000 }, (_, index) => `<class filename="${from + index}"/>`).join('')}`,
      )
  }
  await assert.rejects(new CoverageReader().read(files()), new UnfitReport('The coverage report is too large'))
})

describe('code quality', () => {
  test('findings are read one by one, in the spellings that tools have', async () => {
    const { findings, error } = await readCodeQuality(
      pieces(
        `\ufeff ${JSON.stringify([
          finding(),
          finding({
            fingerprint: 'f2',
            severity: 'odd',
            check_name: null,
            location: { path: './b.ts', positions: { begin: { line: 9 } } },
          }),
          finding({ fingerprint: 'f3', location: { path: '/c.ts', lines: { begin: { line: 4 } } } }),
          finding({ location: { path: 'no line' } }),
          'nothing',
        ])} `,
      ),
    )
    assert.deepEqual(
      findings.map(({ path, line, severity, check_name }) => [path, line, severity, check_name]),
      [
        ['lib/a.ts', 3, 'major', 'length'],
        ['b.ts', 9, 'info', null],
        ['c.ts', 4, 'major', 'length'],
      ],
    )
    assert.equal(error, '2 entries of the report have no place, fingerprint or description')
  })

  for (const [text, says] of [
    ['{}', /no array/],
    ['[1, 2', /ends within/],
    ['[1] 2', /no array/],
    ['[{"a": tru}]', /no array/],
    [`["${'x'.repeat(300_000)}"]`, /too long/],
    ['', /ends within/],
  ] as const)
    test(`a report is refused with a reason: ${text.slice(0, 20)}`, async () => {
      const { findings, error } = await readCodeQuality(pieces(text, 4_096))
      assert.deepEqual(findings, [])
      assert.match(error ?? '', says)
    })

  test('an empty report has no findings', async () => {
    assert.deepEqual(await readCodeQuality(pieces(' [ ] ')), { findings: [], error: null })
  })
})

const coverage = (classes: string, sources = '') =>
  `<?xml version="1.0"?><!DOCTYPE coverage SYSTEM "x.dtd"><coverage>${sources}<packages><package><classes>${classes}</classes></package></packages></coverage>`

const coveredClass = (name: string, lines: string) =>
  `<class filename="${name}"><methods><method><lines><line number="1" hits="5"/></lines></method></methods><lines>${lines}</lines></class>`

describe('coverage', () => {
  test('lines of classes count, those of their methods do not count twice, and classes of a file add up', async () => {
    const reader = new CoverageReader()
    const report = coverage(
      coveredClass('a.rb', '<line number="1" hits="2"/><line number="2" hits="0"/><line number="x" hits="1"/>') +
        coveredClass('a.rb', '<line number="1" hits="3"/>'),
    )
    await reader.read(pieces(report))
    assert.deepEqual(
      [...(reader.files.get('a.rb') ?? [])],
      [
        [1, 5],
        [2, 0],
      ],
    )
  })

  test('what is no XML is refused', async () => {
    await assert.rejects(new CoverageReader().read(pieces('<a><b></a>')), UnfitReport)
  })

  const lines = new Map([[1, 1]])
  const files = (name: string) => new Map([[name, lines]])
  for (const [name, sources, there, path] of [
    ['lib/a.rb', [], [], 'lib/a.rb'],
    ['./lib/a.rb', ['/builds/group/app'], [], 'lib/a.rb'],
    ['/builds/group/app/lib/a.rb', [], [], 'lib/a.rb'],
    ['/elsewhere/a.rb', [], [], undefined],
    ['a.rb', ['/builds/group/app/lib/'], ['lib/a.rb'], 'lib/a.rb'],
    ['a.rb', ['/builds/group/app/lib', '/builds/group/app/src'], ['src/a.rb'], 'src/a.rb'],
    ['a.rb', ['/builds/group/app/lib'], ['other'], undefined],
  ] as const)
    test(`${name} within ${sources.join(' and ') || 'nothing'} is ${path}`, () => {
      const found = pathsIn({ files: files(name), sources }, 'group/app', candidate => (there as readonly string[]).includes(candidate))
      assert.deepEqual([...found.keys()], path === undefined ? [] : [path])
    })
})

test('what runners upload is parsed by the worker once, and goes with the artifact', async () => {
  const { project, owner } = await scene.project()
  const job = await runningJob(scene, project, owner)
  const report = gzipSync(coverage(coveredClass('a.rb', '<line number="1" hits="2"/>')))
  await uploadTo(scene, job, report, { artifact_type: 'cobertura', artifact_format: 'gzip', filename: 'c.xml.gz' })
  await uploadTo(scene, job, Buffer.from(JSON.stringify([finding()])), { artifact_type: 'codequality', artifact_format: 'raw' })
  const artifacts = await db
    .selectFrom('job_artifacts')
    .select('id')
    .where('job_id', '=', job.id)
    .where('file_type', 'in', lineReports)
    .execute()
  for (const { id } of [...artifacts, ...artifacts]) await tasksOf(scene.deps).parse_line_report({ artifact_id: id }, undefined)

  const covered = await db.selectFrom('coverage_files').select(['path', 'lines', 'hits']).execute()
  const found = await db.selectFrom('code_quality_findings').select(['path', 'line']).execute()
  assert.deepEqual(covered, [{ path: 'a.rb', lines: [1], hits: [2] }])
  assert.deepEqual(found, [{ path: 'lib/a.ts', line: 3 }])

  await owner.delete(`${project.url}/jobs/${job.id}/artifacts`)
  assert.deepEqual(await db.selectFrom('line_reports').selectAll().execute(), [])
})
