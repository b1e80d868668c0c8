/**
 * No regular expression of the program takes quadratic or worse time on what a user sends. Each is judged by recheck, which finds such expressions
 * and a text that shows it. What has been judged safe is in `test/golden/expressions.txt`, so that only new ones are judged.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { check } from 'recheck'
import { assertGolden, committedGolden } from '../golden.ts'
import { bounded } from './bounded_expressions.ts'
import { expressionsIn, expressionsOf } from './expressions.ts'
import { assertNothing, shipped } from './source_files.ts'

/** Milliseconds for one expression. Most take less than one; large ones with several repetitions took up to 20 seconds on a busy machine. */
const PATIENCE = 60_000

// What is for browsers runs there, on what its user types or was sent to be shown.
const found = expressionsIn(shipped.filter(({ path }) => !path.startsWith('src/platform/pages/client/')))

/** Undefined for an expression whose time is at most in proportion to the text; else what is wrong with it. */
async function problemOf(expression: string): Promise<string | undefined> {
  const [, source = '', flags = ''] = /^\/(.*)\/([a-z]*)$/s.exec(expression) ?? []
  // It does not know `v`; nothing that it is about depends on the difference.
  const judged = await check(source, flags.replace('v', 'u'), { timeout: PATIENCE })
  if (judged.status === 'safe') return undefined
  if (judged.status === 'unknown') return `could not be judged (${judged.error.kind})`
  return `${judged.complexity.summary}, for instance on ${judged.attack.pattern}`
}

test('no expression takes more than linear time, unless its input is bounded', async () => {
  const exceptions = new Map(bounded.flatMap(({ expressions }) => expressions.map(([expression, ...files]) => [String(expression), files])))
  const safe = new Set((await committedGolden('expressions.txt')).split('\n').filter(line => found.has(line)))
  const problems: string[] = []
  for (const [expression, files] of found) {
    const excepted = exceptions.get(expression)
    const others = files.filter(file => !excepted?.includes(file))
    if (safe.has(expression) || others.length === 0) continue
    const problem = await problemOf(expression)
    if (problem === undefined) safe.add(expression)
    else problems.push(`${others.join(', ')}: ${expression}\n    ${problem}`)
  }
  assertNothing(
    problems,
    'these expressions take a time that grows faster than the text, which lets a user stop the server with one text. Write them so that each text ' +
      'is read once (src/platform/patterns/ends.ts and slashes.ts do it for what stands at an end), or name them in bounded_expressions.ts with ' +
      'what bounds their input',
  )
  await assertGolden('expressions.txt', `${[...safe].sort().join('\n')}\n`)
})

test('each expression whose input is bounded is where the list says', async () => {
  const gone = bounded.flatMap(({ expressions }) =>
    expressions.flatMap(([expression, ...files]) =>
      files.filter(file => !found.get(String(expression))?.includes(file)).map(file => `${file}: ${expression}`),
    ),
  )
  assertNothing(gone, 'these files no longer have these expressions. Take them out of bounded_expressions.ts')
})

test('expressions are found as literals and as constant texts, and what is slow is seen', async () => {
  const text = String.raw`
    const END = 'b+$'
    const other = (text: string): boolean => /(a+)+$/.test(text) || new RegExp(${'`'}\\s${'${END}'}${'`'}, 'u').test(text)
    const half = (all: number, of: number): number => all / of / 2
    const unknown = (word: string): RegExp => new RegExp(word)`
  assert.deepEqual(expressionsOf(text).map(String), ['/(a+)+$/', '/\\sb+$/u'])
  assert.match((await problemOf('/(a+)+$/')) ?? '', /^exponential, for instance on/)
  assert.match((await problemOf('/\\s+$/')) ?? '', /^2nd degree polynomial, for instance on/)
  assert.equal(await problemOf('/^\\s+/'), undefined)
})
