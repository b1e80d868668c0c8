import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { areas } from '../mutate/areas.ts'
import { mutantVariable } from '../mutate/loading.ts'
import { mutantsOf, mutated } from '../mutate/mutants.ts'
import { lineOf } from '../mutate/report.ts'
import { accepted } from '../mutate/survivors.ts'
import { runs } from '../mutate/trial.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Each mutant of a source: what the source becomes. */
const becomes = (source: string) => mutantsOf(source).map(mutant => mutated(source, mutant))

test('each operator, condition, effect and wait of a source is changed, one at a time', () => {
  assert.deepEqual(becomes('const a: boolean = b && !c'), ['const a: boolean = b || !c', 'const a: boolean = b && c'])
  assert.deepEqual(becomes('const f = (n: number) => n <= 3'), ['const f = (n: number) => n < 3', 'const f = (n: number) => n <= 4'])
  assert.deepEqual(becomes('if (x) go()'), ['if (true) go()', 'if (false) go()', 'if (x) ;'])
  assert.deepEqual(becomes('await store(row)'), ['void store(row)', ';'])
  assert.deepEqual(becomes('const first = list.filter(isOpen).some(isMine) ?? other'), [
    'const first = list.some(isMine) ?? other',
    'const first = list.filter(isOpen).every(isMine) ?? other',
    'const first = list.filter(isOpen).some(isMine)',
  ])
  assert.deepEqual(becomes('const q = sql`select 1 where a and b >= $' + '{c} for update`'), [
    'const q = sql`select 1 where a or b >= $' + '{c} for update`',
    'const q = sql`select 1 where a and b > $' + '{c} for update`',
    'const q = sql`select 1 where a and b >= $' + '{c} `',
  ])
})

test('types and texts are no mutants', () => {
  assert.deepEqual(becomes("type A = 1 | true\ninterface B { readonly c?: -1 }\nconst d = 'a' + 'b'"), [])
})

test('a mutant is loaded by its process alone, and the file stays as it is', async () => {
  const file = join(root, 'torture/chance.ts')
  const before = await readFile(file, 'utf8')
  const mutant = mutantsOf(before).find(({ change, start }) => change === '+ becomes -' && before.slice(0, start).includes('between: '))
  assert.ok(mutant)
  const program = `import { chanceFrom } from ${JSON.stringify(pathToFileURL(file).href)}\nconsole.log(chanceFrom(1).between(5, 1000))`
  const between = async (env: NodeJS.ProcessEnv) => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--import', pathToFileURL(join(root, 'mutate/loading.ts')).href, '--input-type=module', '--eval', program],
      // biome-ignore lint/style/noProcessEnv: the way to the process
      { env: { ...process.env, ...env } },
    )
    return stdout.trim()
  }
  assert.ok(Number(await between({})) > 5)
  assert.ok(Number(await between({ [mutantVariable]: JSON.stringify({ ...mutant, file }) })) < 5)
  assert.equal(await readFile(file, 'utf8'), before)
})

test('of nested ranges the innermost says whether code ran', () => {
  const ran = new Map([
    [
      'a.ts',
      [
        { startOffset: 0, endOffset: 100, count: 1 },
        { startOffset: 20, endOffset: 40, count: 0 },
        { startOffset: 30, endOffset: 35, count: 1 },
      ],
    ],
  ])
  const probe = { test: 't', milliseconds: 1, ran }
  assert.deepEqual(
    [10, 25, 32, 38, 100].map(offset => runs(probe, 'a.ts', offset)),
    [true, false, true, false, false],
  )
  assert.equal(runs(probe, 'b.ts', 10), false)
})

test('areas and accepted survivors name what is there', async () => {
  for (const path of areas.flatMap(({ sources, tests }) => [...sources, ...tests]))
    await assert.doesNotReject(access(join(root, path)), path)
  for (const { file, line, change, reason } of accepted) {
    const source = await readFile(join(root, file), 'utf8')
    const there = mutantsOf(source).filter(mutant => lineOf(source, mutant.start).text === line)
    assert.ok(
      there.some(mutant => change === undefined || mutant.change === change),
      `${file}: ${line}: ${change ?? ''} is no mutant any more`,
    )
    assert.ok(reason.length > 20, `${file}: ${line}`)
  }
})
