import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmod, lstat, mkdir, mkdtemp, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { atEnd } from '../../../test/at_end.ts'
import { jobUser, openRunnerFolder, parseJobUser, passableFolder, readableFor, removeRunnerFolder } from './account.ts'

const isRoot = process.getuid?.() === 0

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'ingot-test-runner-'))
  atEnd(() => rm(path, { recursive: true, force: true }))
  return path
}

test('a user of jobs is two numbers above 0', () => {
  assert.deepEqual(parseJobUser('1000:100'), { uid: 1000, gid: 100 })
  for (const text of ['0:0', '1000:0', '0:1000', '1000', 'nobody:nogroup', '-1:5', '']) assert.equal(parseJobUser(text), undefined, text)
})

describe('under root', { skip: !isRoot && 'needs root' }, () => {
  const user = jobUser() ?? { uid: 1, gid: 1 }
  const canRead = (path: string) => spawnSync('cat', [path], { ...user, stdio: 'ignore' }).status === 0

  test('a data directory stays shut but for the way to the jobs', async () => {
    const data = await folder()
    await writeFile(join(data, 'secret.key'), 'secret', { mode: 0o600 })

    const path = await openRunnerFolder(join(data, 'runner'), user)

    assert.equal(path, join(await realpath(data), 'runner'))
    assert.equal((await stat(data)).mode & 0o777, 0o711)
    await writeFile(join(path, 'runner.json'), 'token', { mode: 0o600 })
    assert.deepEqual([join(data, 'secret.key'), join(path, 'runner.json')].filter(canRead), [])
    await removeRunnerFolder(join(data, 'runner'))
    await assert.rejects(stat(path), { code: 'ENOENT' })
  })

  test('below a directory that other users cannot enter, the jobs are in the shelter, and the tools are copied there', async () => {
    const [hidden, shelter] = [await folder(), join(await folder(), 'shelter')]
    const data = await mkdtemp(join(hidden, 'data-'))
    // Only the directory itself is opened; the one above it stays shut. The shelter must be reachable.
    spawnSync('chmod', ['755', join(shelter, '..')])

    const path = await openRunnerFolder(join(data, 'runner'), user, shelter)
    await writeFile(join(data, 'tool'), 'tool', { mode: 0o700 })
    const tool = await readableFor(user, join(data, 'tool'), 'tool-1', shelter)

    assert.ok(path.startsWith(`${await realpath(shelter)}/runner-`))
    assert.ok((await lstat(join(data, 'runner'))).isSymbolicLink())
    assert.equal(tool, join(shelter, 'tool-1'))
    assert.ok(canRead(tool))
    await removeRunnerFolder(join(data, 'runner'))
    await assert.rejects(stat(path), { code: 'ENOENT' })
  })

  test('the folder of a runner for other users lets them through, also where a start before left it shut', async () => {
    const users = [user, { uid: user.uid + 1, gid: user.gid + 1 }]
    const parent = await folder()
    await chmod(parent, 0o755)
    await mkdir(join(parent, 'shut'), { mode: 0o700 })

    const made = [await passableFolder(join(parent, 'new', 'runner'), users), await passableFolder(join(parent, 'shut'), users)]

    for (const path of made) assert.equal((await stat(path)).mode & 0o777, 0o711, path)
  })

  test('a directory that other users cannot enter stays shut: a new folder lies in the shelter, and an old one is refused', async () => {
    const [home, shelter] = [await folder(), join(await folder(), 'shelter')]
    await chmod(join(shelter, '..'), 0o755)
    await mkdir(join(home, 'old'))

    const path = await passableFolder(join(home, 'runner'), [user], shelter)

    assert.ok(path.startsWith(`${await realpath(shelter)}/runner-`))
    assert.equal(await passableFolder(join(home, 'runner'), [user], shelter), path, 'the next start has the same')
    await assert.rejects(passableFolder(join(home, 'old'), [user], shelter), /cannot enter .*\/old: name another folder by --builds-dir$/)
    assert.equal((await stat(home)).mode & 0o777, 0o700)
  })
})
