/**
 * `kill -9` of a real server in the midst of merges and pushes: restarted on the
 * same data, it has everything that it acknowledged, and nothing is left half done.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { newDirectory, type RunningIngot, startIngot } from './scene.ts'

const parent = await newDirectory()
const running = new Set<RunningIngot>()
after(async () => {
  for (const ingot of running) await ingot.end('SIGKILL')
  await rm(parent, { recursive: true, force: true })
})

/** Times that the server is killed, each in the midst of its work once it has acknowledged so much. */
const KILLS = [9, 4, 6] as const

const cwd = await newDirectory(parent)
let token = ''

async function start(): Promise<RunningIngot> {
  const ingot = await startIngot(['--data-dir', join(cwd, 'data'), '--rate-limit', 'off', '--log-level', 'fatal'], { cwd })
  running.add(ingot)
  token = ingot.token ?? token
  return ingot
}

/** An answer; undefined where the server went away before it had answered. */
async function call(ingot: RunningIngot, method: string, path: string, body?: object) {
  try {
    const answer = await fetch(`${ingot.url}/api/v4${path}`, {
      method,
      headers: { 'private-token': token, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    // biome-ignore lint/suspicious/noExplicitAny: JSON
    return { status: answer.status, body: JSON.parse(await answer.text()) as any }
  } catch {
    return undefined
  }
}

const commitBody = (branch: string, file_path: string, more: object = {}) => ({
  branch,
  commit_message: file_path,
  actions: [{ action: 'create', file_path, content: file_path }],
  ...more,
})

test('whatever was acknowledged before kill -9 is there afterwards: commits, merge requests and merges', async () => {
  let ingot = await start()
  const projects: number[] = []
  for (let n = 0; n < 2; n++)
    projects.push((await call(ingot, 'POST', '/projects', { name: `Killed ${n}`, initialize_with_readme: true }))?.body.id)
  /** What the server said had happened: files by project, and the numbers of merge requests that are merged. */
  const files: { project: number; file: string }[] = []
  const merged: { project: number; iid: number; sha: string }[] = []
  let number = 0

  /** Works until the server is gone: a branch, a proposal, a merge, and a commit to the target between. */
  async function work(server: RunningIngot, project: number, isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const name = `file-${++number}`
      const pushed = await call(server, 'POST', `/projects/${project}/repository/commits`, commitBody(name, name, { start_branch: 'main' }))
      if (pushed?.status !== 201) continue
      files.push({ project, file: name })
      const proposed = await call(server, 'POST', `/projects/${project}/merge_requests`, {
        source_branch: name,
        target_branch: 'main',
        title: name,
      })
      const other = `file-${++number}`
      const direct = await call(server, 'POST', `/projects/${project}/repository/commits`, commitBody('main', other))
      if (direct?.status === 201) files.push({ project, file: other })
      if (proposed?.status !== 201) continue
      const { iid } = proposed.body
      const answer = await call(server, 'PUT', `/projects/${project}/merge_requests/${iid}/merge`, { should_remove_source_branch: true })
      if (answer?.status === 200) merged.push({ project, iid, sha: answer.body.merge_commit_sha })
    }
  }

  for (const enough of KILLS) {
    const before = files.length + merged.length
    let isOver = false
    const people = projects.flatMap(project => [project, project]).map(project => work(ingot, project, () => isOver))
    while (files.length + merged.length < before + enough) await delay(5)
    const killed = await ingot.end('SIGKILL')
    isOver = true
    await Promise.all(people)
    running.delete(ingot)
    assert.equal(killed, 'SIGKILL')
    ingot = await start()
  }

  assert.ok(files.length > 0 && merged.length > 0, `${files.length} commits and ${merged.length} merges were acknowledged`)
  for (const project of projects) {
    const found = await filesIn(ingot, project)
    const lost = files.filter(each => each.project === project && !found.has(each.file))
    assert.deepEqual(lost, [])
  }
  for (const { project, iid, sha } of merged) {
    const answer = await call(ingot, 'GET', `/projects/${project}/merge_requests/${iid}`)
    assert.deepEqual([answer?.body.state, answer?.body.merge_commit_sha], ['merged', sha])
  }
  // What the crash left between is finished or dropped, and the repositories are sound.
  for (const project of projects) {
    const open = (await call(ingot, 'GET', `/projects/${project}/merge_requests?state=opened&per_page=100`))?.body as { iid: number }[]
    for (const { iid } of open)
      assert.equal((await call(ingot, 'PUT', `/projects/${project}/merge_requests/${iid}/merge`))?.status, 200, `!${iid} cannot be merged`)
  }
  assert.equal(await ingot.end('SIGTERM'), 0)
  running.delete(ingot)
  for (const repository of await repositories()) {
    const { stdout, stderr } = await promisify(execFile)('git', ['-C', repository, 'fsck', '--connectivity-only', '--no-dangling'])
    assert.equal(stdout + stderr, '')
  }
})

/** The files of all branches. */
async function filesIn(ingot: RunningIngot, project: number): Promise<Set<string>> {
  const branches = (await call(ingot, 'GET', `/projects/${project}/repository/branches?per_page=100`))?.body as { name: string }[]
  const found = new Set<string>()
  for (const { name } of branches)
    for (let page = 1; ; page++) {
      const path = `/projects/${project}/repository/tree?ref=${encodeURIComponent(name)}&per_page=100&page=${page}`
      const entries = (await call(ingot, 'GET', path))?.body as { name: string }[]
      for (const entry of entries) found.add(entry.name)
      if (entries.length < 100) break
    }
  return found
}

async function repositories(): Promise<string[]> {
  const root = join(cwd, 'data', 'repositories')
  const names = await readdir(root, { recursive: true })
  return names.filter(name => /\.git$/.test(name)).map(name => join(root, name))
}
