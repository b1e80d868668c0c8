/** danger, unmodified: comments on a merge request of a job, keeps them up to date, and takes them away. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openScene, type SceneMergeRequest } from '../scene.ts'
import { openCheckouts } from './checkouts.ts'
import { npmClient } from './npm_clients/installed.ts'
import { openWorkbench } from './workbench.ts'

const scene = await openScene()
const workbench = await openWorkbench()
const { addressFor, clone } = await openCheckouts(scene, workbench)
const { program, path, skip } = npmClient('danger-ci')

interface Note {
  readonly body: string
  readonly system: boolean
  readonly position?: { readonly new_path: string; readonly new_line: number }
}

/** What is said on a merge request by people and programs. */
async function notesOf({ url }: SceneMergeRequest): Promise<Note[]> {
  const { body } = await scene.root.get(`${url}/notes`, { sort: 'asc', order_by: 'created_at' })
  return (body as Note[]).filter(({ system }) => !system)
}

test('danger comments, on lines too, edits what it said, and takes it away', { skip }, async () => {
  const { project, owner, maintainer } = await scene.project({ members: ['maintainer'] })
  await scene.commit(project, { 'a.txt': 'a\n', 'dangerfile.js': '' })
  const request = await scene.mergeRequest(project, { title: 'Add a line', files: { 'b.txt': 'one\ntwo\n' }, author: owner })
  const checkout = await clone(addressFor(project, maintainer), '--branch', request.source_branch)
  const check = async (dangerfile: string) => {
    await writeFile(join(checkout, 'dangerfile.js'), dangerfile)
    const env = {
      PATH: path,
      GITLAB_CI: 'true',
      CI_PROJECT_PATH: project.full_path,
      CI_MERGE_REQUEST_IID: String(request.iid),
      CI_COMMIT_SHA: request.sha,
      DANGER_GITLAB_API_TOKEN: maintainer.token,
      DANGER_GITLAB_HOST: scene.url,
    }
    return workbench.attempt(program, ['--dangerfile', 'dangerfile.js', '--failOnErrors'], { cwd: checkout, env })
  }

  const first = await check(`
    const { git, gitlab } = danger
    warn('Title: ' + gitlab.mr.title + ', by ' + gitlab.mr.author.username)
    message('Created: ' + git.created_files.join(' ') + '; commits: ' + gitlab.commits.length)
    warn('Look at this line', 'b.txt', 2)
    schedule(async () => {
      const diff = await git.diffForFile('b.txt')
      message('Added: ' + diff.added.split('\\n').length + ' lines of ' + (await danger.gitlab.utils.fileContents('b.txt')).length + ' bytes')
    })`)
  assert.equal(first.code, 0, first.stdout + first.stderr)
  const said = await notesOf(request)
  const summary = said.find(({ position }) => !position)?.body ?? ''
  assert.match(summary, new RegExp(`Title: Add a line, by ${owner.username}`))
  assert.match(summary, /Created: b\.txt; commits: 1/)
  assert.match(summary, /Added: 2 lines of 8 bytes/)
  const onLine = said.filter(({ position }) => position)
  assert.deepEqual(
    onLine.map(({ position }) => [position?.new_path, position?.new_line]),
    [['b.txt', 2]],
  )

  const second = await check("fail('This is not good')")
  assert.notEqual(second.code, 0)
  const afterwards = await notesOf(request)
  assert.equal(afterwards.length, 1)
  assert.match(afterwards[0]?.body ?? '', /This is not good/)

  const third = await check('')
  assert.equal(third.code, 0, third.stdout + third.stderr)
  assert.deepEqual(await notesOf(request), [])
})
