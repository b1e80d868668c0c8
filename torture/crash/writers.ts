/** Those who write until the server is gone. Each turn is a small story of one kind; what is acknowledged goes into the ledger. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { work as runJobs } from './runners.ts'
import type { World, Writer } from './world.ts'

/** What a GET answers, made into one text; `gone` for a 404. */
const reading =
  <T>({ victim }: World, path: string, say: (body: T) => unknown) =>
  async (): Promise<string> => {
    const answer = await victim.call('GET', path)
    if (answer.status === 404) return 'gone'
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
    return String(say((await answer.json()) as T))
  }

/** The bytes that are downloaded; `gone` for a 404. */
const downloading =
  ({ victim }: World, path: string) =>
  async (): Promise<string> => {
    const answer = await victim.send('GET', path)
    if (answer.status === 404) return 'gone'
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
    return answer.text()
  }

/** An issue with labels and notes, which is closed, and now and then deleted. */
async function issues(world: World): Promise<void> {
  const { victim, ledger, chance, next } = world
  const project = world.projects[0]!
  const title = `Issue ${next()}`
  const labels = chance.below(3) === 0 ? 'elm,oak' : ''
  const answer = await victim.call('POST', `/projects/${project.id}/issues`, { title, labels })
  if (answer.status !== 201) return
  const { iid } = (await answer.json()) as { iid: number }
  const path = `/projects/${project.id}/issues/${iid}`
  type Issue = { title: string; state: string; labels: string[] }
  ledger.add(
    'issues',
    path,
    `${title} opened ${labels}`,
    reading(world, path, (issue: Issue) => `${issue.title} ${issue.state} ${issue.labels}`),
  )
  const body = `Note ${next()}`
  const noted = await victim.call('POST', `${path}/notes`, { body })
  if (noted.status === 201) {
    const { id } = (await noted.json()) as { id: number }
    if (chance.below(5) > 0)
      ledger.add(
        'notes',
        `${path}/notes/${id}`,
        body,
        reading(world, `${path}/notes/${id}`, (note: { body: string }) => note.body),
      )
  }
  if (chance.below(2) === 0)
    await ledger.change(path, `${title} closed ${labels}`, () => victim.call('PUT', path, { state_event: 'close' }))
  // Its notes would be gone too: only one without any in the ledger.
  else if (noted.status !== 201) await ledger.change(path, 'gone', () => victim.call('DELETE', path))
}

/** A branch with a commit, a merge request for it, and its merge. */
async function merges(world: World): Promise<void> {
  const { victim, ledger, next } = world
  const { id } = world.projects[1]!
  const name = `merge-${next()}`
  const actions = [{ action: 'create', file_path: name, content: name }]
  const commit = { branch: name, start_branch: 'main', commit_message: name, actions }
  const pushed = await victim.call('POST', `/projects/${id}/repository/commits`, commit)
  if (pushed.status !== 201) return
  const onBranch = downloading(world, `/api/v4/projects/${id}/repository/files/${name}/raw?ref=${name}`)
  ledger.add('commits', `${name}:${name}`, name, onBranch)
  const made = await victim.call('POST', `/projects/${id}/merge_requests`, { source_branch: name, target_branch: 'main', title: name })
  if (made.status !== 201) return
  const { iid } = (await made.json()) as { iid: number }
  const path = `/projects/${id}/merge_requests/${iid}`
  /** Merged is one whose commit is on the target and which brought the file. */
  const read = async () => {
    const mergeRequest = await victim.get<{ state: string; merge_commit_sha: string | null }>(path)
    const file = await victim.call('HEAD', `/projects/${id}/repository/files/${name}?ref=main`)
    if (mergeRequest.state !== 'merged') return `${mergeRequest.state}, ${file.status === 200 ? 'on main' : 'not on main'}`
    const refs = await victim.get<{ name: string }[]>(
      `/projects/${id}/repository/commits/${mergeRequest.merge_commit_sha}/refs?type=branch&per_page=100`,
    )
    return `merged, ${file.status === 200 && refs.some(ref => ref.name === 'main') ? 'on main' : 'not on main'}`
  }
  ledger.add('merge requests', path, 'opened, not on main', read)
  await ledger.change(path, 'merged, on main', () => victim.call('PUT', `${path}/merge`, {}))
}

/** A push of two branches by git, and then one of them is deleted by git. */
async function pushes(world: World): Promise<void> {
  const { victim, ledger, chance, next, clone } = world
  const { id, path_with_namespace } = world.projects[0]!
  const [one, two] = [`push-${next()}`, `push-${next()}`]
  await writeFile(join(clone, one), `${one}\n`.repeat(chance.between(1, 5_000)))
  await victim.git(clone, 'checkout', '-q', '-B', 'work', 'origin/main')
  await victim.git(clone, 'add', one)
  await victim.git(clone, 'commit', '-q', '-m', one)
  const sha = (await victim.git(clone, 'rev-parse', 'HEAD')).trim()
  const remote = victim.remote(path_with_namespace)
  await victim.git(clone, 'push', '-q', remote, `HEAD:refs/heads/${one}`, `HEAD:refs/heads/${two}`)
  const branch = (name: string) =>
    reading(world, `/projects/${id}/repository/branches/${name}`, (found: { commit: { id: string } }) => found.commit.id)
  for (const name of [one, two]) ledger.add('pushed branches', name, sha, branch(name))
  await ledger.change(two, 'gone', () => victim.call('DELETE', `/projects/${id}/repository/branches/${two}`))
}

/** An upload. */
async function uploads(world: World): Promise<void> {
  const { victim, ledger, chance, next } = world
  const { id } = world.projects[1]!
  const text = `upload ${next()} `.repeat(chance.between(1, 20_000))
  const form = new FormData()
  form.set('file', new Blob([text]), 'upload.txt')
  const answer = await victim.call('POST', `/projects/${id}/uploads`, form)
  if (answer.status !== 201) return
  const { full_path } = (await answer.json()) as { full_path: string }
  ledger.add('uploads', full_path, text, downloading(world, full_path))
}

/** A release that makes its tag, and sometimes is deleted. */
async function releases(world: World): Promise<void> {
  const { victim, ledger, chance, next } = world
  const { id } = world.projects[1]!
  const tag = `v0.${next()}`
  const answer = await victim.call('POST', `/projects/${id}/releases`, {
    tag_name: tag,
    ref: 'main',
    name: tag,
    description: `About ${tag}`,
  })
  if (answer.status !== 201) return
  const path = `/projects/${id}/releases/${tag}`
  ledger.add(
    'releases',
    path,
    `About ${tag}`,
    reading(world, path, (release: { description: string }) => release.description),
  )
  const tagPath = `/projects/${id}/repository/tags/${tag}`
  ledger.add(
    'tags',
    tagPath,
    tag,
    reading(world, tagPath, (found: { name: string }) => found.name),
  )
  if (chance.below(3) === 0) await ledger.change(path, 'gone', () => victim.call('DELETE', path))
}

/** A file of a package. */
async function packages(world: World): Promise<void> {
  const { victim, ledger, chance, next } = world
  const { id } = world.projects[0]!
  const path = `/api/v4/projects/${id}/packages/generic/tool/1.0.${next()}/tool.bin`
  const text = `${path} `.repeat(chance.between(1, 5_000))
  const answer = await victim.send('PUT', path, { body: Buffer.from(text), headers: { 'content-type': 'application/octet-stream' } })
  if (answer.status === 201) ledger.add('packages', path, text, downloading(world, path))
}

/** A project with a repository and a wiki, which may be deleted; and a snippet. */
async function places(world: World): Promise<void> {
  const { victim, ledger, chance, next } = world
  const name = `place-${next()}`
  const made = await victim.call('POST', '/projects', { name, initialize_with_readme: true })
  if (made.status !== 201) return
  const { id } = (await made.json()) as { id: number }
  const path = `/projects/${id}`
  const read = async () => {
    const readme = await victim.call('GET', `${path}/repository/files/README.md?ref=main`)
    return `${readme.status} ${await reading(world, path, (project: { name: string }) => project.name)()}`
  }
  ledger.add('projects', path, `200 ${name}`, read)
  const page = await victim.call('POST', `${path}/wikis`, { title: name, content: name })
  const snippet = await victim.call('POST', `${path}/snippets`, { title: name, file_name: 'a.txt', content: name, visibility: 'private' })
  if (chance.below(3) === 0) {
    await ledger.change(path, '404 gone', () => victim.call('DELETE', path))
    return
  }
  if (page.status === 201)
    ledger.add(
      'wiki pages',
      `${path}/wikis/${name}`,
      name,
      reading(world, `${path}/wikis/${name}`, (wiki: { content: string }) => wiki.content),
    )
  if (snippet.status !== 201) return
  const snippetPath = `${path}/snippets/${((await snippet.json()) as { id: number }).id}`
  ledger.add('snippets', snippetPath, name, downloading(world, `/api/v4${snippetPath}/raw`))
}

/** All of them at work at the same time; issues twice, since several are made by one statement. */
export const writers: readonly Writer[] = [issues, issues, merges, pushes, uploads, releases, packages, places, runJobs(0), runJobs(1)]
