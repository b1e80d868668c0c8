import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { format, inspect } from 'node:util'
import { serialize } from 'node:v8'
import { pino } from 'pino'
import { Secret, SecretPrinted } from './secret.ts'

const secret = new Secret('s3same')
const loosely = secret as unknown as string

describe('a secret becomes no text by itself:', () => {
  const attempts: Readonly<Record<string, () => unknown>> = {
    'in a template': () => `${secret}`,
    'in a concatenation': () => `value: ${loosely}`.concat(loosely),
    'added to a text': () => 'value: '.concat(loosely) + loosely,
    'by String()': () => String(secret),
    'by toString()': () => secret.toString(),
    'in an array that is joined': () => [secret].join(),
    'as the message of an error': () => new Error(loosely),
    'as the name of a property': () => ({ [loosely]: 1 }),
    'as a number': () => Number(loosely),
    'as JSON': () => JSON.stringify({ a: [secret] }),
    'in a buffer': () => Buffer.from(loosely),
    'as a parameter of an address': () => new URLSearchParams({ a: loosely }),
    'in headers': () => new Headers({ a: loosely }),
  }
  for (const [name, attempt] of Object.entries(attempts)) test(name, () => assert.throws(attempt, SecretPrinted))
})

test('what is printed or copied of a secret does not have its text', () => {
  const printed = [
    inspect({ a: { secret } }, { depth: 9, showHidden: true }),
    format('%s %o %O %j', 1, secret, secret, 2),
    inspect(new Error('x', { cause: secret })),
    inspect(structuredClone({ secret })),
    serialize({ secret }).toString('latin1'),
    JSON.stringify(Object.entries({ ...secret })),
    Object.keys(secret).join(),
  ]

  for (const text of printed) assert.ok(!text.includes('s3same'), text)
})

test('a line of the log with a secret in it is written without it', () => {
  const lines: string[] = []
  const log = pino({}, { write: (line: string) => void lines.push(line) })

  log.info({ secret, below: { secret } }, 'a line')
  log.info(secret, 'another')
  log.info('%s', 'plain')

  assert.ok(lines.length >= 2)
  assert.ok(!lines.join('').includes('s3same'), lines.join(''))
})

test('only reveal() gives the text, and a secret of a secret is itself', () => {
  assert.equal(secret.reveal(), 's3same')
  assert.equal(Secret.of(secret), secret)
  assert.equal(Secret.of('s3same').equals(secret), true)
  assert.equal(new Secret('other').equals(secret), false)
})
