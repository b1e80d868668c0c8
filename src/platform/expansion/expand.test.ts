import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Expandable, expand, MAX_DEPTH, MAX_EXPANDED, referencesIn } from './expand.ts'

const variables: readonly Expandable[] = [
  { key: 'A', value: 'old' },
  { key: 'A', value: 'alpha' },
  { key: 'B', value: '<$A>' },
  { key: 'C', value: '[${B}]' },
  { key: 'RAW', value: '$A', raw: true },
  { key: 'PRICE', value: '$$5' },
  { key: 'SELF', value: 'x$SELF' },
  { key: 'ROUND', value: 'r$ABOUT' },
  { key: 'ABOUT', value: 'a$ROUND' },
  { key: 'EMPTY', value: '' },
]

const table: readonly [text: string, blank: string, kept?: string][] = [
  ['nothing to see', 'nothing to see'],
  ['$A', 'alpha'],
  ['${A}bet and %A%', 'alphabet and alpha'],
  ['$C', '[<alpha>]'],
  ['$RAW', '$A', '$$A'],
  ['$$A $A', '$A alpha', '$$A alpha'],
  ['$PRICE', '$5', '$$5'],
  ['$SELF', 'x$SELF'],
  ['$ROUND/$A', 'ra$ROUND/alpha'],
  ['-$EMPTY-$NOTHING-${NOTHING}-%NOTHING%-', '----%NOTHING%-', '--$NOTHING-${NOTHING}-%NOTHING%-'],
  ['https://host/%C3%A4?a=100%', 'https://host/%C3%A4?a=100%'],
  ['$1 $ ${ ${} $-A ${A', '$1 $ ${ ${} $-A ${A'],
  ['$A_B$A', 'alpha', '$A_Balpha'],
]

test('variables are expanded in texts, in all three forms and through each other', () => {
  for (const [text, blank, kept = blank] of table) {
    assert.equal(expand(text, variables), blank, text)
    assert.equal(expand(text, variables, { missing: 'keep' }), kept, `${text}, kept`)
  }
})

test('a bomb of variables is expanded within a bound, and in no time', () => {
  const doubling = (first: string) => [
    { key: 'V0', value: first },
    ...Array.from({ length: 60 }, (_, at) => ({ key: `V${at + 1}`, value: `$V${at}$V${at}` })),
  ]
  const chain = Array.from({ length: 50_000 }, (_, at) => ({ key: `V${at}`, value: `$V${at + 1}` }))

  assert.ok(expand('$V60', doubling('0123456789')).length < 3 * MAX_EXPANDED)
  assert.ok(expand('$V60', doubling('')).length < 10 * MAX_EXPANDED)
  assert.equal(expand('$V0', chain), `$V${MAX_DEPTH}`)
})

test('the references of a text are found, each once', () => {
  assert.deepEqual(referencesIn('$B ${A} %C% $$D $B 100% $1'), ['B', 'A', 'C'])
})
