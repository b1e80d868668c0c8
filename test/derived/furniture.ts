/**
 * The things in the world: at least eight rows for every list, so that its query budget can be measured, and one known
 * id for every scope. All of it is made through the API. Who adds a resource adds a step.
 */
import { createHash } from 'node:crypto'
import type { Client } from '../client.ts'
import type { Person } from '../scene.ts'
import type { Place, World } from './world.ts'

/** Rows that every list has at least. */
export const ROWS = 8

const steps: ((world: World) => Promise<void>)[] = [
  users,
  groupsAndProjects,
  members,
  keysAndEmails,
  tokens,
  features,
  applications,
  repositories,
  provisioning,
]

export async function furnish(world: World): Promise<void> {
  for (const step of steps) await step(world)
}

// biome-ignore lint/suspicious/noExplicitAny: each resource has its own
type Made = { id: number } & Record<string, any>

/** Makes something and returns it. @throws Error when it is refused */
async function make(client: Client, path: string, body: object): Promise<Made> {
  const answer = await client.post(path, body)
  if (answer.status !== 201)
    throw new Error(`POST ${path} ${JSON.stringify(body)} was refused: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

const rows = Array.from({ length: ROWS }, (_, index) => index)

async function users({ scene, other, things }: World): Promise<void> {
  const states = { blocked_user: 'block', banned_user: 'ban' }
  for (const [name, move] of Object.entries(states)) {
    const { id } = await scene.user()
    await make(scene.root, `/users/${id}/${move}`, {})
    things[name] = id
  }
  // Nothing in the API makes these two yet.
  const waiting = await scene.user()
  await scene.deps.database.db.updateTable('users').set({ state: 'blocked_pending_approval' }).where('id', '=', waiting.id).execute()
  things.waiting_user = waiting.id
  await scene.deps.database.db.insertInto('identities').values({ user_id: other.id, provider: 'ldapmain', extern_uid: 'other' }).execute()
}

async function groupsAndProjects({ scene, places, people, other, things }: World): Promise<void> {
  things.other_group = (await scene.group({ path: 'other-group', owner: people.owner, visibility: 'public' })).group.id
  for (const [visibility, { group }] of Object.entries(places)) {
    for (const row of rows) {
      await scene.group({ path: `subgroup-${row}`, parent: group, owner: people.owner, visibility: visibility as 'private' | 'public' })
      await scene.project({ path: `${visibility}-${row}`, owner: other, visibility: visibility as 'private' | 'public' })
    }
  }
}

async function members({ scene, places, other }: World): Promise<void> {
  for (const place of Object.values(places) as Place[]) {
    for (const _ of rows) {
      const { id } = await scene.user()
      await make(scene.root, `${place.project.url}/members`, { user_id: id, access_level: 20 })
      await make(scene.root, `${place.group.url}/members`, { user_id: id, access_level: 10 })
      place.things.member = id
    }
  }
  for (const row of rows) {
    const { project } = await scene.project({ path: `shared-${row}` })
    await make(scene.root, `${project.url}/members`, { user_id: other.id, access_level: 20 })
  }
}

async function keysAndEmails({ scene, people, own, other, things }: World): Promise<void> {
  const { root } = scene
  let number = 0
  const nextKey = () => ({ title: `Key ${++number}`, key: sshKey(number) })
  for (const [name, person] of Object.entries(people)) {
    const mine = own[name] as Record<string, number>
    for (const row of person === root ? rows : [0]) {
      mine.key = (await make(person, '/user/keys', nextKey())).id
      mine.email = (await make(person, '/user/emails', { email: `${name}-${row}@work.example.com` })).id
    }
  }
  for (const row of rows) {
    const key = nextKey()
    things.key = (await make(root, `/users/${other.id}/keys`, key)).id
    things.fingerprint = `SHA256:${createHash('sha256')
      .update(Buffer.from(key.key.split(' ')[1] as string, 'base64'))
      .digest('base64')
      .replace('=', '')}`
    things.email = (await make(root, `/users/${other.id}/emails`, { email: `other-${row}@work.example.com` })).id
  }
}

/** An ed25519 public key: a type and 32 bytes, each behind its length. */
function sshKey(number: number): string {
  const point = Buffer.alloc(32, number)
  const parts = [Buffer.from('ssh-ed25519'), point].flatMap(part => [Buffer.from([0, 0, 0, part.length]), part])
  return `ssh-ed25519 ${Buffer.concat(parts).toString('base64')} example`
}

async function tokens({ scene, people, own, other, places, things }: World): Promise<void> {
  for (const [name, person] of Object.entries(people) as [string, Person][])
    (own[name] as Record<string, number>).token = (await person.get('/personal_access_tokens/self')).body.id
  for (const row of rows) {
    const body = { name: `Token ${row}`, scopes: ['api'] }
    things.impersonation_token = (await make(scene.root, `/users/${other.id}/impersonation_tokens`, body)).id
    for (const place of Object.values(places))
      place.things.project_token = (await make(scene.root, `${place.project.url}/access_tokens`, body)).id
  }
}

async function features({ scene }: World): Promise<void> {
  for (const row of rows) await make(scene.root, `/features/example_${row}`, { value: true })
}

async function applications({ scene, things }: World): Promise<void> {
  for (const row of rows) {
    const body = { name: `Application ${row}`, redirect_uri: 'https://client.example.com/callback', scopes: 'api' }
    const { id, application_id, secret } = await make(scene.root, '/applications', body)
    Object.assign(things, { application: id, client_id: application_id, client_secret: secret })
  }
}

async function repositories({ scene, places }: World): Promise<void> {
  for (const { project, things } of Object.values(places)) {
    const path = `${project.url}/repository`
    const lines: string[] = []
    for (const row of rows) {
      lines.push(`Line ${row}\n`)
      const actions = [
        { action: row === 0 ? 'create' : 'update', file_path: 'README.md', content: lines.join('') },
        { action: 'create', file_path: `file-${row}.txt`, content: `${row}\n` },
      ]
      const author = { author_name: `Author ${row}`, author_email: `author-${row}@example.com` }
      await make(scene.root, `${path}/commits`, { branch: 'main', commit_message: `Commit ${row}`, actions, ...author })
    }
    await make(scene.root, `${path}/branches`, { branch: 'behind', ref: 'main' })
    const actions = rows.map(row => ({ action: 'update', file_path: `file-${row}.txt`, content: 'changed\n' }))
    things.commit = (await make(scene.root, `${path}/commits`, { branch: 'main', commit_message: 'Change all', actions })).id
    for (const row of rows) {
      await make(scene.root, `${path}/branches`, { branch: `topic-${row}`, ref: 'main' })
      await make(scene.root, `${path}/tags`, { tag_name: `v0.${row}`, ref: 'main' })
      await make(scene.root, `${project.url}/protected_branches`, { name: `stable-${row}` })
    }
    const tree = await scene.root.get(`${path}/tree`)
    things.blob = tree.body.find((entry: { path: string }) => entry.path === 'README.md').id
  }
}

async function provisioning({ scene, places }: World): Promise<void> {
  for (const [visibility, { group, things }] of Object.entries(places)) {
    const { body } = await scene.root.post(`${group.url}/scim_token`)
    things.scim_token = body.token
    const provider = scene.as({ authorization: `Bearer ${body.token}` })
    for (const row of rows) {
      await make(provider, `${body.scim_url}/Users`, {
        externalId: `provisioned-${row}`,
        userName: `${visibility}.provisioned.${row}`,
        name: { formatted: `Provisioned ${row}` },
        emails: [{ type: 'work', value: `${visibility}.${row}@provider.example.com` }],
      })
    }
    const events = await scene.root.get(`${group.url}/audit_events`)
    things.audit_event = events.body[0].id
  }
}
