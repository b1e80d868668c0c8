/** What a disk does not take, in the answers of a server. */
import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { test } from 'node:test'
import pg from 'pg'
import { GitError } from '../../git/index.ts'
import { refusalByDisk } from './disk_refusals.ts'

const full = { message: '507 Insufficient Storage - the disk of the server is full' }
const readOnly = { message: '503 Service Unavailable - the disk of the server cannot be written' }

const ofDatabase = (code: string) => Object.assign(new pg.DatabaseError('could not extend file', 0, 'error'), { code })
const ofSystem = (code: string) => Object.assign(new Error(`${code}: write`), { code })

test('a full disk is 507, and one that cannot be written 503, in the database, git or a file', () => {
  const cases: readonly [error: unknown, status: number | undefined, body: object | undefined][] = [
    [ofSystem('ENOSPC'), 507, full],
    [ofSystem('EDQUOT'), 507, full],
    [ofDatabase('53100'), 507, full],
    [new GitError('no_room', 'git unpack-objects ended with 128'), 507, full],
    [new Error('the upload failed', { cause: ofSystem('ENOSPC') }), 507, full],
    [ofSystem('EROFS'), 503, readOnly],
    [new GitError('read_only', 'git update-ref ended with 128'), 503, readOnly],
    [ofSystem('ENOENT'), undefined, undefined],
    [ofDatabase('23505'), undefined, undefined],
    [new GitError('failed', 'git merge-tree ended with a signal'), undefined, undefined],
    ['no error', undefined, undefined],
  ]
  for (const [error, status, body] of cases) {
    const refusal = refusalByDisk(error)
    assert.deepEqual([refusal?.status, refusal?.body], [status, body], String(error))
  }
})

test('a real full disk has the code that is known', { skip: existsSync('/dev/full') ? false : 'there is no /dev/full' }, async () => {
  assert.throws(
    () => writeFileSync('/dev/full', 'text'),
    error => refusalByDisk(error)?.status === 507,
  )
  const file = await open('/dev/full', 'w')
  await assert.rejects(file.write('text'), error => refusalByDisk(error)?.status === 507)
  await file.close()
})
