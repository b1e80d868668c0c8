/** Secrets of the configuration stay out of what is printed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { parseConfig } from './config.ts'
import { SecretPrinted } from './secret.ts'

test('no print of the configuration has a secret in it', () => {
  const config = parseConfig({
    INGOT_ROOT_PASSWORD: 'printed-password',
    INGOT_ROOT_TOKEN: 'printed-token-0123456789',
    INGOT_SECRET_KEY: '0a'.repeat(32),
    INGOT_RUNNERS_REGISTRATION_TOKEN: 'printed-registration',
    INGOT_OBJECT_STORE: 's3://key:printed-key@s3.example.com/files',
    INGOT_SMTP_URL: 'smtp://ingot:printed-mail@mail.example.com',
    DATABASE_URL: 'postgres://a:printed@b/c',
  })

  assert.doesNotMatch(inspect(config, { depth: 9, showHidden: true }), /printed|0a0a/)
  assert.throws(() => JSON.stringify(config), SecretPrinted)
})

test('a refusal repeats the value, unless it is a secret', () => {
  assert.throws(() => parseConfig({ INGOT_PORT: '99999' }), { message: 'INGOT_PORT must be a whole number from 0 to 65535, not "99999"' })
  assert.throws(
    () => parseConfig({ INGOT_ROOT_PASSWORD: 'hunter2' }),
    (error: Error) => !error.message.includes('hunter2'),
  )
})
