/**
 * Each request's address passes through the rewriting of every dialect before anything is known about its caller. What that costs grows with the
 * length of the address alone: an address of fifty kilobytes is cheap to send.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '../../src/server/endpoints.ts'

/** Characters of an address; the server reads 128 KiB (src/platform/kernel/connections/guard.ts). */
const LENGTH = 50_000

/** Milliseconds that suffice many times over for a pass through the text, and are far below what a pass for each of its characters takes. */
const ENOUGH = 50

const rewriting = [...new Set(endpoints.map(({ dialect }) => dialect))].filter(({ rewrite }) => rewrite !== undefined)

/** Texts that a pattern for addresses may look for: the fixed parts of all paths, and separators. */
const pieces = new Set(
  endpoints
    .flatMap(({ path }) => path.split('/'))
    .filter(part => part !== '' && !/^[:*]/.test(part))
    .map(part => `/${part}/x`)
    .concat('/', '/x', '//', '.git', '.git/', '%2F', '?', '#', ' '),
)

/** Is the work slow three times running? Once, the machine may do something else meanwhile. */
const isSlow = (work: () => unknown): boolean =>
  [1, 2, 3].every(() => {
    const begun = performance.now()
    work()
    return performance.now() - begun > ENOUGH
  })

for (const { name, prefix, rewrite } of rewriting)
  test(`long addresses pass the rewriting of ${name} quickly, whatever is in them`, () => {
    const slow: string[] = []
    for (const piece of pieces)
      for (const [begin, end] of [
        ['', '/x'],
        [`${prefix}/a/b`, '!'],
      ] as const) {
        const address = `${begin}${piece.repeat(LENGTH / piece.length)}${end}`
        if (isSlow(() => rewrite?.(address))) slow.push(`${begin} ${piece} … ${end}`)
      }
    assert.deepEqual(slow, [], 'you are here because an address is matched by a pattern that tries again at each of its characters')
  })
