/** Long texts are parsed in threads, and texts that would take much time or memory are refused wherever they are parsed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { workFor } from '../kernel/request/bounds/holder.ts'
import type { WantedYaml } from './parse.ts'
import { readYamlMap, UnreadableYaml } from './read.ts'

const core: WantedYaml = { schema: 'core', aliases: 1_000 }
const limits = { inline: 8 * 1024, most: 256 * 1024, time: 60_000 }

/** The same limits, with which every text is parsed in a thread, or none. */
const places = { 'in a thread': { ...limits, inline: -1 }, 'where it is asked for': { ...limits, inline: Number.POSITIVE_INFINITY } }

const refusedAs = (says: string) => (error: unknown) => error instanceof UnreadableYaml && error.message === says

/** What `work` comes to, and how many turns the event loop has taken meanwhile. */
async function withTurns<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly turns: number }> {
  let turns = 0
  const turn = setInterval(() => {
    turns += 1
  })
  try {
    return { result: await work(), turns }
  } finally {
    clearInterval(turn)
  }
}

/** Each of these lists has the one before ten times. */
const bomb = (levels: number): string =>
  ['x0: &x0 [a]', ...Array.from({ length: levels }, (_, n) => `x${n + 1}: &x${n + 1} [${Array(10).fill(`*x${n}`)}]`)].join('\n')

for (const [place, at] of Object.entries(places)) {
  test(`a text that is read ${place} says what it says`, async () => {
    const text = 'name: thing\nday: 2026-01-02\ncount: 0x10\nnone: ~\nlist: &list [1.5, true]\nagain: *list\n"__proto__": {a: 1}\n'

    const read = await readYamlMap(text, core, at)

    assert.deepEqual(JSON.parse(JSON.stringify(read)), {
      name: 'thing',
      day: '2026-01-02',
      count: 16,
      none: null,
      list: [1.5, true],
      again: [1.5, true],
      ['__proto__']: { a: 1 },
    })
    assert.deepEqual(await readYamlMap('~', core, at), {})
  })

  test(`objects of Ruby are maps, and their scalars texts, ${place}`, async () => {
    const text =
      '--- !ruby/object:Gem::Specification\nversion: !ruby/object:Gem::Version\n  version: 1.10\nfiles: [a, b]\ntext: !binary YQ==\n'

    const read = await readYamlMap(text, { schema: 'ruby', aliases: 0, fields: ['version', 'text', 'none'] }, at)

    assert.deepEqual(read, { version: { version: '1.10' }, text: 'a' })
  })

  const refused: readonly (readonly [what: string, text: string, says: string])[] = [
    ['no YAML', 'a: [', 'is not YAML that can be read'],
    ['an empty text', '', 'is not YAML that can be read'],
    ['two documents', 'a: 1\n---\nb: 2\n', 'is not YAML that can be read'],
    ['a tag of a language', 'a: !!js/function "x"', 'is not YAML that can be read'],
    ['a list', '- a', 'is no map of YAML'],
    ['a text', 'a', 'is no map of YAML'],
    ['aliases that stand for a billion values', bomb(9), 'is too complex to be read'],
    ['a billion values as a key', `${bomb(9)}\n? *x9\n: a`, 'is not YAML that can be read'],
    ['a value in itself', 'a: &a [*a]', 'is too complex to be read'],
    ['a map in itself', '&a\nb: *a', 'is too complex to be read'],
    ['too many aliases', `a: &a x\nb: [${'*a,'.repeat(1_001)}]`, 'is not YAML that can be read'],
    ['many levels', `a: ${'['.repeat(100_000)}`, 'is not YAML that can be read'],
    [
      'many levels by aliases',
      ['x0: &x0 [a]', ...Array.from({ length: 200 }, (_, n) => `x${n + 1}: &x${n + 1} [*x${n}]`)].join('\n'),
      'is too complex to be read',
    ],
    ['a text that is too large in JSON', `a: "${'\\a'.repeat(60_000)}"`, 'is too complex to be read'],
  ]
  for (const [what, text, says] of refused)
    test(`${what} is refused ${place}`, () => assert.rejects(readYamlMap(text, core, at), refusedAs(says)))
}

test('a long text is read while other work is done, and only what is wanted of it counts', async () => {
  const text = `files:\n${'- lib/thing/a_file.rb\n'.repeat(45_000)}name: thing\n`

  const { result, turns } = await withTurns(() => readYamlMap(text, { ...core, fields: ['name'] }, limits))

  assert.deepEqual(result, { name: 'thing' })
  assert.ok(turns >= 3, `${turns} turns`)
  await assert.rejects(readYamlMap(text, core, limits), refusedAs('is too complex to be read'))
})

test('a text that takes too long is given up, and the next one is read', async () => {
  const long = `a: [${'1,'.repeat(250_000)}]`

  await assert.rejects(readYamlMap(long, core, { ...limits, time: 1 }), refusedAs('is too complex to be read'))

  assert.deepEqual(await readYamlMap('a: 1', core, places['in a thread']), { a: 1 })
})

test('long texts of several callers are read at a time', async () => {
  const text = `name: thing\nfiles: [${'a,'.repeat(20_000)}]`
  const callers = ['a', 'a', 'a', 'b', 'b', 'c']

  const read = await Promise.all(callers.map(caller => workFor(caller, () => readYamlMap(text, { ...core, fields: ['name'] }, limits))))

  assert.deepEqual(
    read,
    callers.map(() => ({ name: 'thing' })),
  )
})
