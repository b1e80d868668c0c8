import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Masking } from './masking.ts'

function masked(secrets: readonly string[], pieces: readonly string[]): string {
  const masking = new Masking(secrets)
  return Buffer.concat([...pieces.map(piece => masking.push(Buffer.from(piece))), masking.end()]).toString()
}

const cases: readonly [secrets: string[], text: string, shown: string][] = [
  [[], 'nothing to hide', 'nothing to hide'],
  [['secret'], 'a secret, a second secret', 'a [MASKED], a second [MASKED]'],
  [['secret', 'secretive'], 'secretive secret', '[MASKED] [MASKED]'],
  [['aab'], 'aaab aaaab', 'a[MASKED] aa[MASKED]'],
  [['', 'x'], 'x', '[MASKED]'],
  [['grüße'], 'viele grüße!', 'viele [MASKED]!'],
  [['secret'], 'secre', 'secre'],
  [['one', 'onetwo'], 'onetw', '[MASKED]tw'],
]

test('secrets are hidden wherever the pieces of a log begin and end', () => {
  for (const [secrets, text, shown] of cases) {
    assert.equal(masked(secrets, [text]), shown)
    assert.equal(masked(secrets, [...text]), shown, `${text}, letter by letter`)
    for (let at = 1; at < text.length; at++)
      assert.equal(masked(secrets, [text.slice(0, at), text.slice(at)]), shown, `${text} cut at ${at}`)
  }
})
