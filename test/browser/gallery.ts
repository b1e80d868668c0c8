/** What `npm run pages:shots` shows: every page of the map in the world of the derived tests, with a project that has more to look at. */
import { SESSION_COOKIE } from '../../src/platform/kernel/request/authenticate.ts'
import { digestOf } from '../../src/platform/kernel/secrets.ts'
import { HTML } from '../../src/platform/pages/dialect.ts'
import { pages } from '../../src/server/pages.ts'
import { encodeQuery } from '../client.ts'
import { make, rows } from '../derived/making.ts'
import { titleOf } from '../derived/titles.ts'
import { requestFor, type World } from '../derived/world.ts'
import { furnishBuilds } from './built_gallery.ts'
import { furnishDeployed } from './deployed_gallery.ts'
import { furnishPlanning } from './planned_gallery.ts'
import { furnishReview } from './reviewed_gallery.ts'

/** Who looks at a page: the owner of the places, an administrator, or a caller without a session. */
export type Viewer = 'owner' | 'admin' | 'anonymous'

/** A page to look at. */
export interface Shown {
  /** What it is called in the index; the route of a page of the map. */
  readonly title: string
  /** Path and query. */
  readonly address: string
  readonly viewer: Viewer
}

/** A cookie of a session for each viewer who has an account, `name=value`. */
export async function sessionsIn({ scene, people }: World): Promise<Readonly<Record<Exclude<Viewer, 'anonymous'>, string>>> {
  const { db } = scene.deps.database
  const cookieOf = async (viewer: 'owner' | 'admin') => {
    const secret = `session-of-the-${viewer}`
    const values = { digest: digestOf(secret), user_id: people[viewer].id, expires_at: '2999-01-01T00:00:00Z' }
    await db.insertInto('sessions').values(values).execute()
    return `${SESSION_COOKIE}=${secret}`
  }
  return { owner: await cookieOf('owner'), admin: await cookieOf('admin') }
}

/** Who comes to a page: those who have no session yet, administrators, the owner of the places. */
function viewerOf(path: string): Viewer {
  if (/^\/users\/(sign_in|sign_up|passkeys|password|confirmation|unlock)/.test(path)) return 'anonymous'
  return /^\/(admin|-\/mails)/.test(path) ? 'admin' : 'owner'
}

/** The reading pages of the map, at the addresses that the derived tests ask. Parts of pages, and what redirects, are among them. */
export const mapOf = (world: World, visibility: 'private' | 'public'): Shown[] =>
  pages
    .filter(({ method, answers }) => method === 'GET' && answers.kind === 'bytes' && answers.mediaType === HTML)
    .map(page => {
      const viewer = viewerOf(page.path)
      const { path, query = {} } = requestFor(world, page, viewer, visibility)
      const search = encodeQuery(query)
      return { title: titleOf(page), address: search ? `${path}?${search}` : path, viewer }
    })

const code = `/** A lamp, and how bright it is. */
export interface Lamp {
  readonly name: string
  /** From 0 to 1. */
  readonly brightness: number
}

const dark = 0.05

/** The lamps that can be seen. */
export function visible(lamps: readonly Lamp[]): Lamp[] {
  return lamps.filter(({ brightness }) => brightness > dark)
}
`

const readme = `# Lantern

A small library that keeps lamps. See [the code](src/lamp.ts) and [the changes](CHANGELOG.md).

> What is dark is not shown.

| lamp | brightness |
|---|---|
| hall | 0.8 |
| cellar | 0.1 |

- [x] Light the hall
- [ ] Light the cellar

\`\`\`ts
visible([{ name: 'hall', brightness: 0.8 }])
\`\`\`
`

const files: Readonly<Record<string, string>> = {
  'README.md': readme,
  'CHANGELOG.md': '# Changes\n\n## 1.1\n\n- The cellar has a lamp.\n',
  LICENSE: 'MIT License\n\nCopyright (c) 2021 Lantern\n',
  'package.json': '{\n  "name": "lantern",\n  "version": "1.1.0"\n}\n',
  'src/lamp.ts': code,
  'src/deeply/nested/folders/of/this/project/a_module_with_a_name_that_is_longer_than_most_windows_are_wide.ts': code,
  'src/main.py': 'import sys\n\n\ndef main() -> int:\n    print("light")\n    return 0\n\n\nsys.exit(main())\n',
  'data/lamps.csv': 'name,brightness,room\nhall,0.8,ground floor\ncellar,0.1,below\n',
  'docs/picture.svg':
    '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><circle cx="32" cy="32" r="24" fill="orange"/></svg>\n',
  'empty.txt': '',
}

/** A project with something of everything, and one that is empty; the addresses in them that the map shows once only. */
export async function furnishGallery(world: World): Promise<Shown[]> {
  const { scene, people } = world
  const owner = people.owner
  const { project } = await scene.project({
    owner,
    path: 'lantern',
    name: 'Lantern',
    visibility: 'public',
    description: 'Keeps lamps, and says which of them can be seen',
  })
  const commits = `${project.url}/repository/commits`
  const actions = Object.entries(files).map(([file_path, content]) => ({ action: 'create', file_path, content }))
  await make(owner, commits, { branch: 'main', commit_message: 'Keep lamps', actions })
  const changed = [
    { action: 'update', file_path: 'src/lamp.ts', content: code.replace('0.05', '0.1').replace('that can be seen', 'that people see') },
    { action: 'move', file_path: 'src/light.py', previous_path: 'src/main.py', content: files['src/main.py'] },
    { action: 'delete', file_path: 'empty.txt' },
    { action: 'create', file_path: 'src/shade.ts', content: 'export const shade = 1\n' },
    { action: 'create', file_path: 'data/blob.bin', content: Buffer.alloc(300, '\0\x01\x02').toString('base64'), encoding: 'base64' },
  ]
  const message = 'Show fewer lamps\n\nThose that are nearly dark were shown too, which nobody expected.\n'
  await make(owner, commits, { branch: 'main', commit_message: message, actions: changed })
  await make(owner, `${project.url}/repository/branches`, { branch: 'feature/a-branch-with-quite-a-long-name', ref: 'main' })
  for (const row of rows)
    await make(owner, commits, {
      branch: 'feature/a-branch-with-quite-a-long-name',
      commit_message: `Step ${row}`,
      actions: [{ action: 'create', file_path: `steps/step-${row}.txt`, content: `${row}\n` }],
    })
  await make(owner, `${project.url}/repository/tags`, { tag_name: 'v1.1', ref: 'main', message: 'With a cellar' })
  const board = await make(owner, `${project.url}/boards`, { name: 'Development' })
  for (const [name, color] of [
    ['workflow::ready', '#1f75cb'],
    ['workflow::in progress', '#d99530'],
  ] as const) {
    const label = await make(owner, `${project.url}/labels`, { name, color })
    await make(owner, `${project.url}/boards/${board.id}/lists`, { label_id: label.id, max_issue_count: 3, limit_metric: 'issue_count' })
  }
  const carded = ['', 'workflow::ready', 'workflow::in progress,bug', 'workflow::in progress']
  for (let number = 0; number < 16; number++)
    await make(owner, `${project.url}/issues`, {
      title:
        number === 1
          ? 'The lamp in the cellar, which was repaired last winter, flickers again when a door is opened'
          : `Lamp ${number} flickers`,
      labels: carded[number % carded.length],
      weight: number % 3,
      ...(number % 5 === 0 ? { due_date: '2021-07-01', assignee_ids: [owner.id] } : {}),
    })
  const brighter = [
    {
      action: 'update',
      file_path: 'src/lamp.ts',
      content: code.replace('0 to 1', '0 to 100').replace('brightness > dark', 'brightness > dark * 100'),
    },
    { action: 'move', file_path: 'src/lib/shade.ts', previous_path: 'src/shade.ts', content: 'export const shade = 1\n' },
    { action: 'delete', file_path: 'data/lamps.csv' },
    { action: 'update', file_path: 'docs/picture.svg', content: files['docs/picture.svg']?.replace('orange', 'gold') },
  ]
  await make(owner, commits, { branch: 'brighter', start_branch: 'main', commit_message: 'Measure in percent', actions: brighter })
  const proposed = { source_branch: 'brighter', target_branch: 'main', title: 'Measure brightness in percent' }
  const { iid } = await make(owner, `${project.url}/merge_requests`, proposed)
  const { project: fresh } = await scene.project({ owner, path: 'fresh', name: 'Fresh', visibility: 'private' })

  const inProject = (rest: string): Shown => ({ title: `lantern${rest}`, address: `/${project.full_path}${rest}`, viewer: 'owner' })
  const { body: hidden } = await scene.root.get('/projects', { search: 'private-project' })
  return [
    ...[
      '',
      '/-/tree/main/src',
      '/-/blob/main/README.md',
      '/-/blob/main/src/lamp.ts#L5-7',
      '/-/blob/main/data/lamps.csv',
      '/-/blob/main/data/blob.bin',
      '/-/blob/main/docs/picture.svg',
      '/-/blame/main/src/lamp.ts',
      '/-/commits/main',
      '/-/commit/main',
      '/-/compare/main...feature%2Fa-branch-with-quite-a-long-name',
      '/-/compare/main...main',
      '/-/branches',
      '/-/tags',
      '/-/graphs/main',
      '/-/network/main',
      '/-/project_members',
      `/-/boards/${board.id}`,
      '/-/search?search=lamp&scope=blobs',
      '/-/search?search=nothing-of-that-name',
    ].map(inProject),
    ...(await furnishReview(world, { project, owner, iid })),
    ...(await furnishDeployed(world, { project, owner })),
    ...(await furnishPlanning(world)),
    ...(await furnishBuilds(world)),
    { title: 'An empty project', address: `/${fresh.full_path}`, viewer: 'owner' },
    { title: 'An empty project: the CI file', address: `/${fresh.full_path}/-/ci/editor`, viewer: 'owner' },
    { title: 'An empty project: boards', address: `/${fresh.full_path}/-/boards`, viewer: 'owner' },
    { title: 'An empty project: tags', address: `/${fresh.full_path}/-/tags`, viewer: 'owner' },
    { title: 'An empty project: commits', address: `/${fresh.full_path}/-/commits/main`, viewer: 'owner' },
    { title: 'A project, by a visitor', address: `/${project.full_path}`, viewer: 'anonymous' },
    { title: 'A group', address: '/private-group', viewer: 'owner' },
    { title: 'A user', address: '/owner', viewer: 'admin' },
    { title: 'Search everywhere', address: '/search?search=lantern', viewer: 'owner' },
    { title: 'Home of a visitor', address: '/', viewer: 'anonymous' },
    { title: 'Sign in', address: '/users/sign_in', viewer: 'anonymous' },
    { title: 'A 404, by a visitor', address: `/${hidden[0].path_with_namespace}`, viewer: 'anonymous' },
    { title: 'A 404', address: '/there/is/nothing', viewer: 'owner' },
  ]
}
