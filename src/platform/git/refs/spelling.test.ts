import assert from 'node:assert/strict'
import { test } from 'node:test'
import { foldName, Spellings } from './spelling.ts'

const clashes = (name: string, existing: readonly string[]) => {
  const spellings = new Spellings([name])
  for (const other of existing) spellings.compare(other)
  return spellings.clashes()[0]
}

test('names differ only in letter case by the rules of all scripts', () => {
  for (const [a, b] of [
    ['Main', 'main'],
    ['star', '\u017ftar'],
    ['kelvin', '\u212aelvin'],
    ['stra\u00dfe', 'STRASSE'],
    ['\u00fcber', 'U\u0308BER'],
    ['\u03c3', '\u03c2'],
  ] as const)
    assert.equal(foldName(a), foldName(b), `${a} ${b}`)
  assert.notEqual(foldName('a'), foldName('\u00e4'))
})

test('a name clashes with another spelling of it, of a folder of it, or of something below it', () => {
  for (const [name, existing, expected] of [
    ['refs/heads/Main', ['refs/heads/main'], 'refs/heads/main'],
    ['refs/heads/topic/x', ['refs/heads/Topic'], 'refs/heads/Topic'],
    ['refs/heads/Topic', ['refs/heads/topic/x'], 'refs/heads/topic/x'],
    // What exists itself may be moved and deleted.
    ['refs/heads/main', ['refs/heads/Main', 'refs/heads/main'], undefined],
    // Git itself refuses these.
    ['refs/heads/topic/x', ['refs/heads/topic'], undefined],
    ['refs/heads/topic', ['refs/heads/topic/x'], undefined],
    // One folder there, and two files.
    ['refs/heads/Topic/x', ['refs/heads/topic/y'], undefined],
    ['refs/heads/main', ['refs/tags/Main', 'refs/heads/mainly'], undefined],
  ] as const)
    assert.equal(clashes(name, existing), expected, `${name} beside ${existing}`)
})

test('a name that exists clashes with none, whichever of two spellings is met first', () => {
  for (const existing of [
    ['refs/heads/Main', 'refs/heads/main'],
    ['refs/heads/main', 'refs/heads/Main'],
  ])
    assert.equal(clashes('refs/heads/main', existing), undefined)
})

test('random names clash among themselves exactly where two of them differ only in letter case, in a folder or as a whole', async () => {
  let seed = 7
  const below = (bound: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % bound
  }
  const part = () => ['a', 'A', 'b', 'aa', 'a-'][below(5)]
  for (let round = 0; round < 300; round++) {
    const names = [...new Set(Array.from({ length: 8 }, () => `refs/heads/${Array.from({ length: 1 + below(3) }, part).join('/')}`))]
    const spellings = new Spellings(names)
    await spellings.compareAmongThemselves()
    const found = spellings.clashes().map(other => other !== undefined)
    const expected = names.map(name => names.some(other => other !== name && (covers(name, other) || covers(other, name))))
    assert.deepEqual(found, expected, names.join(' '))
  }
})

/** Is one name the other, or a folder of it, in other letters only? By the definition, pair by pair. */
function covers(name: string, other: string): boolean {
  const [folded, foldedOther] = [`${foldName(name)}/`, `${foldName(other)}/`]
  return foldedOther.startsWith(folded) && !`${other}/`.startsWith(`${name}/`)
}

test('very many names, deep ones and spellings of one name too, take time in proportion to their number', async t => {
  const spelled = (number: number) =>
    [...'abcdefghijklmnop'].map((letter, bit) => ((number >> bit) & 1 ? letter.toUpperCase() : letter)).join('')
  const made = {
    plain: Array.from({ length: 20_000 }, (_, index) => `refs/heads/branch-${index}`),
    deep: Array.from({ length: 1000 }, (_, index) => `refs/heads/x${index}/${'a/'.repeat(490)}b`),
    'one name': Array.from({ length: 20_000 }, (_, index) => `refs/heads/${spelled(index)}`),
    'a folder': Array.from({ length: 20_000 }, (_, index) => `refs/heads/${index % 2 ? `abcdefghijklmnop/${index}` : spelled(index)}`),
    'too long': Array.from({ length: 100 }, () => `refs/heads/${'a/'.repeat(30_000)}b`),
  }
  for (const [kind, names] of Object.entries(made)) {
    // Processor time: on a busy machine the clock also measures what others do.
    const start = process.cpuUsage()
    const spellings = new Spellings(names)
    await spellings.compareAmongThemselves()
    spellings.clashes()
    const { user, system } = process.cpuUsage(start)
    const took = (user + system) / 1000
    t.diagnostic(`${kind}: ${Math.round(took)} ms`)
    assert.ok(took < 5000, `${kind}: ${took} ms`)
  }
})
