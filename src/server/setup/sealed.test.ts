import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { Secrets } from '../../platform/kernel/secrets.ts'
import { renewSealed, sealedColumns } from './sealed.ts'

const scene = await openScene()
const { db } = scene.deps.database
/** The key of scenes, and the one that follows it. */
const [old, fresh] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)]

test('a former key reads what it encrypted and signed, and writes nothing any more', () => {
  const before = new Secrets(old)
  const between = new Secrets(fresh, [old])
  const stored = before.encrypt('open sesame', 'a.b')

  assert.equal(between.decrypt(stored, 'a.b').reveal(), 'open sesame')
  assert.throws(() => between.decrypt(stored, 'a.c'))
  assert.equal(between.verify('text', 'csrf', before.sign('text', 'csrf')), true)
  assert.equal(between.verify('other', 'csrf', before.sign('text', 'csrf')), false)
  const renewed = between.renew(stored, 'a.b') as string
  assert.equal(new Secrets(fresh).decrypt(renewed, 'a.b').reveal(), 'open sesame')
  assert.throws(() => before.decrypt(renewed, 'a.b'))
  assert.equal(between.renew(renewed, 'a.b'), undefined)
})

test('all that is encrypted is renewed, and is then read without the former key', async () => {
  const { project, owner } = await scene.project()
  await owner.post(`${project.url}/variables`, { key: 'SECRET', value: 'open sesame' })
  await owner.post(`${project.url}/hooks`, { url: 'https://example.com/hook', token: 'token' })
  await owner.get(project.url)
  const between = new Secrets(fresh, [old])

  const renewed = await renewSealed(db, between)

  assert.ok(renewed >= 3, String(renewed))
  assert.equal(await renewSealed(db, between), 0)
  assert.equal(await renewSealed(db, new Secrets(fresh)), 0, 'nothing needs the former key')
  const { value } = await db.selectFrom('ci_variables').select('value').where('project_id', '=', project.id).executeTakeFirstOrThrow()
  assert.equal(new Secrets(fresh).decrypt(value, 'ci_variables.value').reveal(), 'open sesame')
  await renewSealed(db, new Secrets(old, [fresh]))
  assert.equal((await owner.get(`${project.url}/variables/SECRET`)).body.value, 'open sesame')
})

test('every column that anything is encrypted for is known', async () => {
  const src = join(import.meta.dirname, '..', '..')
  const files = (await readdir(src, { recursive: true })).filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  const purposes = new Set<string>()
  const texts = await Promise.all(files.map(file => readFile(join(src, file), 'utf8')))
  const encrypting = texts.filter(text => text.includes('secrets.encrypt('))
  for (const text of texts)
    for (const [, exported, name, purpose] of text.matchAll(/(export )?const (\w*PURPOSE) = '([^']+)'/g)) {
      // In the file itself, or in one that takes the name from it.
      const imported = new RegExp(`import [^;]*?\\b${name}\\b[^;]*? from`)
      if (encrypting.includes(text) || (exported && encrypting.some(other => imported.test(other)))) purposes.add(purpose as string)
    }
  assert.deepEqual([...purposes].sort(), [...sealedColumns], 'add the column to sealedColumns, with `table.column` as its purpose')
})
