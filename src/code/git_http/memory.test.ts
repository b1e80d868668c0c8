/**
 * Pushes and clones pass through at constant memory. A file of its own: what other tests
 * leave on the heap would hide growth. The first exchange warms up code and buffers (some 60 MB, whatever its size);
 * what counts is that the next, larger one adds far less than its size. Measured by hand up to 288 MB: the same.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { client } from '../../platform/git/transport/smart-server.ts'

/** Megabytes that pass through: first, and then measured. */
const sizes = { first: 24, measured: 96 }
/** Megabytes by which the process may grow while the measured ones do: half of them, since a busy machine collects late. */
const allowed = sizes.measured / 2

const scene = await openScene()
const directory = await mkdtemp(join(tmpdir(), 'ingot-memory-'))
after(() => rm(directory, { recursive: true, force: true }))

/** By how many megabytes the process grew at most while `work` ran. */
async function growthDuring(work: () => Promise<{ code: number; output: string }>): Promise<number> {
  const before = process.memoryUsage().rss
  let peak = before
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss)
  }, 10)
  const { code, output } = await work()
  clearInterval(timer)
  assert.equal(code, 0, output)
  return (peak - before) / 1024 / 1024
}

/** Pushes this many megabytes to a new project and clones them; answers by how much the process grew each time. */
async function passThrough(megabytes: number): Promise<{ pushing: number; cloning: number }> {
  const { project, owner } = await scene.project()
  const work = join(directory, String(megabytes))
  // Made by other processes, and of bytes that do not compress.
  const script = `git init -q -b main "$1" && cd "$1" && head -c ${megabytes * 1024 * 1024} /dev/urandom | split -b 4m
    git -c core.compression=0 add . && git -c user.name=Ida -c user.email=ida@example.com commit -q -m big`
  execFileSync('sh', ['-ec', script, 'sh', work])
  const url = new URL(`${scene.url}/${project.full_path}.git`)
  url.username = 'x'
  url.password = owner.token
  return {
    pushing: await growthDuring(() => client(work, ['push', '--quiet', url.href, 'main'])),
    cloning: await growthDuring(() => client(directory, ['clone', '--quiet', '--bare', url.href, `${work}-copy`])),
  }
}

test('a large push and a large clone leave the server’s memory as it is', async t => {
  const first = await passThrough(sizes.first)
  const measured = await passThrough(sizes.measured)
  t.diagnostic(`grew in MB: ${JSON.stringify({ first, measured })}`)
  assert.ok(measured.pushing < allowed && measured.cloning < allowed, JSON.stringify(measured))
})
