/** The commands as an administrator runs them, beside a server that runs. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import S3rver from 's3rver'
import { atEnd } from '../../../test/at_end.ts'
import { beginIngot, newDirectory, runIngot, startIngot } from '../cli/scene.ts'

const cwd = await newDirectory()
atEnd(() => rm(cwd, { recursive: true, force: true }))
const settings = ['--ssh-port', 'off', '--log-level', 'fatal']
const run = (...args: string[]) => runIngot([...args, '--log-level', 'fatal'], { cwd })
const service = new S3rver({
  address: '127.0.0.1',
  port: 0,
  silent: true,
  directory: join(cwd, 'service'),
  configureBuckets: [{ name: 'backups' }],
})
const { port } = await service.run()
atEnd(() => service.close())
const inBucket = (name: string, bucket = 'backups') => `s3://S3RVER:S3RVER@127.0.0.1:${port}/${bucket}/${name}?tls=false`

/** Kills a command as soon as there is a file of this name. @returns its exit code, null where it was killed */
async function kill(args: readonly string[], file: string): Promise<number | null> {
  const command = beginIngot(args, { cwd })
  let isOver = false
  const ended = command.ended.finally(() => {
    isOver = true
  })
  while (!isOver && !existsSync(join(cwd, file))) await setTimeout(5)
  command.kill()
  return (await ended).code
}

test('a backup of a running server is restored beside it, and each refusal is one line that says why', async t => {
  await writeFile(join(cwd, 'passphrase'), 'correct horse battery\n')
  const server = await startIngot(['--data-dir', 'data', ...settings], { cwd })
  atEnd(async () => void (await server.end('SIGTERM')))
  const headers = { 'private-token': server.token! }
  const project = await fetch(`${server.url}/api/v4/projects`, {
    method: 'POST',
    headers,
    body: new URLSearchParams({ name: 'kept', initialize_with_readme: 'true' }),
  })
  assert.equal(project.status, 201)

  const made = await run('backup', 'one.backup', '--passphrase-file', 'passphrase', '--data-dir', 'data')
  const status = await run('status', '--json', '--data-dir', 'data')

  assert.deepEqual([made.code, made.stderr], [0, ''])
  assert.match(made.stdout, /^\S+one\.backup: [\d.]+ kB, as of \S+: \d+ tables, 1 repositories, 0 files\n$/)
  const { running, migrations, last_backup } = JSON.parse(status.stdout)
  assert.equal(running, true)
  assert.deepEqual([migrations.pending, migrations.unknown], [[], []])
  assert.deepEqual([last_backup.file, last_backup.encrypted, last_backup.complete], [join(cwd, 'one.backup'), true, true])
  assert.match((await run('status', '--data-dir', 'data')).stdout, /^Server +runs$/m)
  const checked = await run('check', '--digests', '--data-dir', 'data')
  assert.deepEqual([checked.code, checked.stderr], [0, ''])
  assert.match(checked.stdout, /^ok +Repositories +1 looked at$/m)

  await writeFile(join(cwd, 'wrong'), 'another passphrase\n')
  for (const [args, code, says] of [
    [['backup', 'gs://bucket/one.backup', '--data-dir', 'data'], 2, /not something at gs:\/\//],
    [['backup', 's3://127.0.0.1/bucket', '--data-dir', 'data'], 2, /has the form s3:\/\/key:secret@host:port\/bucket\/name/],
    [['backup', inBucket('one', 'none'), '--data-dir', 'data'], 1, /the bucket none at \S+ cannot be used: \w+ 404/],
    [['restore', inBucket('none.backup'), '--data-dir', 'restored'], 2, /there is no s3:\/\/127\.0\.0\.1:\d+\/backups\/none\.backup$/m],
    [['backup', 'one.backup', '--data-dir', 'data'], 1, /one\.backup exists: name another file/],
    [['backup', 'two.backup', '--data-dir', 'none'], 2, /there is no instance in/],
    [['restore', 'none.backup', '--data-dir', 'restored'], 2, /there is no \S+none\.backup/],
    [['backup', 'two.backup', '--since', 'none.backup', '--data-dir', 'data'], 2, /there is no \S+none\.backup/],
    [['backup', 'two.backup', '--since', 'one.backup', '--data-dir', 'data'], 1, /the archive is encrypted: give its passphrase/],
    [['verify', 'none.backup'], 2, /there is no \S+none\.backup/],
    [['restore', 'one.backup', '--data-dir', 'restored'], 1, /the archive is encrypted: give its passphrase/],
    [['restore', 'one.backup', '--data-dir', 'restored', '--passphrase-file', 'wrong'], 1, /the passphrase is not that of the archive/],
    [['restore', 'one.backup', '--data-dir', 'data', '--passphrase-file', 'passphrase'], 2, /is not empty/],
  ] as const) {
    const refused = await run(...args)
    assert.equal(refused.code, code, args.join(' '))
    assert.match(refused.stderr, says)
    assert.equal(refused.stderr.trimEnd().split('\n').length, 1)
  }
  assert.deepEqual(
    // The folder is also that of the server's own temporary files, whose names are random.
    (await readdir(cwd)).filter(name => /^(restored|none|two\.|gs:)/.test(name)),
    [],
  )

  const restored = await run('restore', 'one.backup', '--passphrase-file', 'passphrase', '--data-dir', 'restored')
  assert.deepEqual([restored.code, restored.stderr], [0, ''])
  const copy = await startIngot(['--data-dir', 'restored', '--workers', '0', ...settings], { cwd })
  const answer = await fetch(`${copy.url}/api/v4/projects/root%2Fkept`, { headers })
  assert.equal(answer.status, 200)
  assert.equal(await copy.end('SIGTERM'), 0)

  await t.test('a backup goes to a bucket and comes back from it, and no address that is printed or kept has the secret', async () => {
    const address = inBucket('daily/one.backup')
    const shown = `s3://127.0.0.1:${port}/backups/daily/one.backup`
    const stored = await run('backup', address, '--passphrase-file', 'passphrase', '--data-dir', 'data')
    assert.deepEqual([stored.code, stored.stderr], [0, ''])
    assert.ok(stored.stdout.startsWith(`${shown}: `), stored.stdout)
    assert.equal(JSON.parse((await run('status', '--json', '--data-dir', 'data')).stdout).last_backup.file, shown)
    const again = await run('backup', address, '--passphrase-file', 'passphrase', '--data-dir', 'data')
    assert.deepEqual([again.code, again.stderr], [1, `ingot: ${shown} exists: name another file, or remove it\n`])

    const fetched = await run('restore', address, '--passphrase-file', 'passphrase', '--data-dir', 'fetched')
    assert.deepEqual([fetched.code, fetched.stderr], [0, ''])
    assert.match((await run('check', '--data-dir', 'fetched')).stdout, /^ok +Repositories +1 looked at$/m)
  })

  await t.test('a chain with an archive in a bucket is verified and restored; a killed backup leaves it as it was', async () => {
    const withPassphrase = ['--passphrase-file', 'passphrase', '--data-dir', 'data']
    const address = inBucket('daily/two.backup')
    const bucket = `s3://127.0.0.1:${port}/backups/daily`
    const two = await run('backup', address, '--since', inBucket('daily/one.backup'), ...withPassphrase)
    assert.deepEqual([two.code, two.stderr], [0, ''])
    assert.match(two.stdout, /^It builds on s3:\S+\/daily\/one\.backup: keep both, and what that one builds on\.$/m)
    assert.match((await run('status', '--data-dir', 'data')).stdout, /^Last backup .*two\.backup, which builds on s3:\S+one\.backup$/m)
    const issue = await fetch(`${server.url}/api/v4/projects/root%2Fkept/issues`, {
      method: 'POST',
      headers,
      body: new URLSearchParams({ title: 'late' }),
    })
    assert.equal(issue.status, 201)

    const killed = await kill(
      ['backup', 'three.backup', '--since', address, ...withPassphrase, '--log-level', 'fatal'],
      'three.backup.unfinished',
    )
    assert.equal(killed, null)
    await rm(join(cwd, 'three.backup.unfinished'))
    const three = await run('backup', 'three.backup', '--since', address, ...withPassphrase)
    assert.deepEqual([three.code, three.stderr], [0, ''])

    const alone = await run('verify', 'three.backup', '--passphrase-file', 'passphrase')
    assert.deepEqual([alone.code, alone.stdout], [1, ''])
    assert.match(
      alone.stderr,
      /one\.backup is not the backup of \S+, on which \S+three\.backup builds, but that of \S+: give its place after/,
    )
    const earlier = [address, inBucket('daily/one.backup')]
    const verified = await run('verify', 'three.backup', ...earlier, '--passphrase-file', 'passphrase')
    assert.deepEqual([verified.code, verified.stderr], [0, ''])
    assert.match(
      verified.stdout,
      new RegExp(
        `^${bucket}/one\\.backup: .*\n${bucket}/two\\.backup: .*\n\\S+three\\.backup: .*\nWhole, with the 2 before it: \\d+ tables, 1 rep`,
      ),
    )
    const listed = await run(
      'backups',
      'list',
      `s3://S3RVER:S3RVER@127.0.0.1:${port}/backups/daily/?tls=false`,
      '--passphrase-file',
      'passphrase',
    )
    assert.deepEqual([listed.code, listed.stderr], [0, ''])
    assert.match(listed.stdout, /^one\.backup .* whole\ntwo\.backup .* builds on one\.backup\n$/)
    const here = await run('backups', 'list', '.', '--json', '--passphrase-file', 'passphrase')
    assert.equal(here.code, 1)
    const [, broken] = JSON.parse(here.stdout)
    assert.deepEqual([broken.name, broken.state, broken.builds_on], ['three.backup', 'broken', ['one.backup', 'two.backup']])
    const merged = await run('backups', 'merge', 'three.backup', 'merged/three.backup', ...earlier, '--passphrase-file', 'passphrase')
    assert.deepEqual([merged.code, merged.stderr], [0, ''])
    assert.match(merged.stdout, /^\S+merged\/three\.backup: [\d.]+ kB, as of \S+, stands alone and is whole$/m)
    const single = await run('verify', 'merged/three.backup', '--passphrase-file', 'passphrase')
    assert.match(single.stdout, /^Whole: \d+ tables, 1 repositories, 0 files$/m)
    const sizeIn = (said: string) => /three\.backup: ([\d.]+ kB)/.exec(said)?.[1]
    assert.equal(sizeIn(single.stdout), sizeIn(merged.stdout))
    const restored = await run('restore', 'three.backup', ...earlier, '--passphrase-file', 'passphrase', '--data-dir', 'chain')
    assert.deepEqual([restored.code, restored.stderr], [0, ''])
    assert.match((await run('check', '--digests', '--data-dir', 'chain')).stdout, /^ok +Repositories +1 looked at$/m)
    const whole = await run('restore', address, '--passphrase-file', 'passphrase', '--data-dir', 'from_bucket')
    assert.deepEqual([whole.code, whole.stderr], [0, ''])
  })

  await t.test('a disk that is too small is named, and nothing stays', { skip: process.getuid?.() !== 0 }, async () => {
    const disk = join(cwd, 'disk')
    await mkdir(disk)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=48m,mode=1777', 'tmpfs', disk])
    atEnd(async () => void execFileSync('umount', [disk]))

    const full = await run('restore', 'one.backup', '--passphrase-file', 'passphrase', '--data-dir', 'disk/data')

    assert.deepEqual([full.code, /the disk of \S+ is full: nothing was restored/.test(full.stderr)], [1, true], full.stderr)
    assert.deepEqual(await readdir(disk), [])
  })
})
