import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { testFolder } from '../../../../test/folder.ts'
import { openScene } from '../../../../test/scene.ts'
import { isBreached } from './breached.ts'

const folder = await testFolder()
const file = join(folder, 'breached.txt')
const sha1 = (text: string) => createHash('sha1').update(text).digest('hex').toUpperCase()
const known = Array.from({ length: 500 }, (_, number) => `known pass phrase ${number}`)
const lines = (end: string, count: (index: number) => string) =>
  known
    .map(sha1)
    .sort()
    .map((digest, index) => `${digest}${count(index)}`)
    .join(end)
await writeFile(
  file,
  lines('\r\n', index => `:${index}`),
)
const scene = await openScene({ settings: { breachedPasswordsFile: file } })

test('every password of a sorted list is found, and no other, whatever its lines end with', async () => {
  for (const text of [lines('\r\n', index => `:${index * 1000}`), `${lines('\n', () => '')}\n`, lines('\n', () => '').toLowerCase()]) {
    const path = join(folder, 'list.txt')
    await writeFile(path, text)
    for (const password of known) assert.ok(await isBreached(path, password), password)
    for (let number = 0; number < 200; number++) assert.ok(!(await isBreached(path, `other ${number}`)))
  }
  const short = join(folder, 'short.txt')
  await writeFile(short, '')
  assert.ok(!(await isBreached(short, 'x')))
  await writeFile(short, `${sha1('only')}:3`)
  assert.deepEqual([await isBreached(short, 'only'), await isBreached(short, 'other')], [true, false])
})

test('what is no such list is an error, and not a list without the password', async () => {
  const wrong = join(folder, 'wrong.txt')
  await writeFile(wrong, 'password\n123456\n')
  await assert.rejects(isBreached(wrong, 'x'), /no SHA-1/)
  await assert.rejects(isBreached(join(folder, 'absent.txt'), 'x'), /ENOENT/)
})

test('a password of the list is refused where one is chosen', async () => {
  const made = { name: 'Ida', username: 'ida.known', email: 'ida.known@example.com' }
  const refused = await scene.root.post('/users', { ...made, password: known[7] })
  assert.deepEqual([refused.status, refused.body], [400, { message: { password: ['is known from a breach of another service'] } }])
  assert.equal((await scene.root.post('/users', { ...made, password: 'seven violet lanterns' })).status, 201)
})
