/** git-cliff, unmodified: a changelog that names the merge requests and people of each commit. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openScene } from '../scene.ts'
import { openCheckouts } from './checkouts.ts'
import { npmClient } from './npm_clients/installed.ts'
import { openWorkbench } from './workbench.ts'

const scene = await openScene()
const workbench = await openWorkbench()
const { addressFor, clone } = await openCheckouts(scene, workbench)
const { program, path, skip } = npmClient('git-cliff')

const configuration = `[changelog]
body = """
{% for commit in commits %}- {{ commit.message }} by {{ commit.remote.username }} in !{{ commit.remote.pr_number }} ({{ commit.remote.pr_title }})
{% endfor %}"""
[git]
conventional_commits = false
filter_unconventional = false
`

test('a changelog names merge requests and their authors', { skip }, async () => {
  const { project, owner, developer } = await scene.project({ members: ['developer'] })
  await scene.commit(project, { 'a.txt': 'a\n' })
  const request = await scene.mergeRequest(project, { title: 'Paint the door', files: { 'b.txt': 'b\n' }, author: developer })
  const merged = await owner.put(`${request.url}/merge`, { squash: true, squash_commit_message: 'Paint the door' })
  assert.equal(merged.status, 200)
  const checkout = await clone(addressFor(project, owner))
  await writeFile(join(checkout, 'cliff.toml'), configuration)

  const env = { PATH: path, GITLAB_API_URL: `${scene.url}/api/v4`, GITLAB_REPO: project.full_path, GITLAB_TOKEN: owner.token }
  const { code, stdout, stderr } = await workbench.attempt(program, ['--config', 'cliff.toml'], { cwd: checkout, env })

  assert.equal(code, 0, stderr)
  // The client finds a merge request by its merge commit.
  assert.ok(stdout.includes(`by ${owner.name} in !${request.iid} (Paint the door)`), stdout)
  assert.ok(stdout.includes(`- Paint the door by ${developer.name}`), stdout)
})
