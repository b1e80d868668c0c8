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
