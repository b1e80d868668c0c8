/** What a file of a world may say. The JSON schema of it is published beside (`world.schema.json`), and the types of `ingot/testing` follow it. */
import Type, { type Static, type TProperties, type TSchema } from 'typebox'
import { tokenScopes } from '../../platform/access/credentials/token_scopes.ts'

const closed = <P extends TProperties>(properties: P) => Type.Object(properties, { additionalProperties: false })
const optional = <S extends TSchema>(schema: S) => Type.Optional(schema)
const text = (description: string) => Type.String({ description, minLength: 1 })
const anyText = (description: string) => Type.String({ description })
const flag = (description: string) => Type.Boolean({ description })
const names = (description: string) => Type.Array(Type.String({ minLength: 1 }), { description })
const instant = (description: string) => Type.String({ description, pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,3})?Z$' })
const day = (description: string) => Type.String({ description, pattern: '^\\d{4}-\\d{2}-\\d{2}$' })
const username = (description: string) => Type.String({ description, minLength: 1 })
const visibility = optional(Type.Enum(['private', 'internal', 'public'], { description: 'Who may see it; `private` unless given' }))
const at = optional(instant('When it was made; a second after what stands before it unless given'))

/** The roles by their names. */
export const memberRoles = { guest: 10, reporter: 20, developer: 30, maintainer: 40, owner: 50 } as const

const members = optional(
  Type.Record(Type.String(), Type.Enum(Object.keys(memberRoles) as (keyof typeof memberRoles)[]), { description: 'Roles by username' }),
)

const labels = optional(
  Type.Array(
    closed({
      name: text('Its name'),
      color: optional(text('`#rrggbb` or a name of CSS')),
      description: optional(anyText('What it is for')),
    }),
    { description: 'Labels, in this order' },
  ),
)

const milestones = optional(
  Type.Array(
    closed({
      title: text('Its title'),
      description: optional(anyText('Markdown')),
      start_date: optional(day('Its first day')),
      due_date: optional(day('Its last day')),
      state: optional(Type.Enum(['active', 'closed'], { description: '`active` unless given' })),
    }),
    { description: 'Milestones, in the order of their iids' },
  ),
)

const comments = optional(
  Type.Array(closed({ author: username('Who writes it'), body: text('Markdown'), at }), { description: 'Comments, in this order' }),
)

const item = {
  title: text('Its title'),
  description: optional(anyText('Markdown')),
  author: optional(username('Who makes it; the owner of the project unless given')),
  assignees: optional(names('Usernames')),
  labels: optional(names('Names of labels; those that are not there are made')),
  milestone: optional(text('Title of a milestone of the project or its group')),
  comments,
  at,
}

const issue = closed({
  ...item,
  state: optional(Type.Enum(['opened', 'closed'], { description: '`opened` unless given' })),
  confidential: optional(flag('Whether only members with a role and its author see it')),
  weight: optional(Type.Integer({ minimum: 0, description: 'Its weight' })),
  due_date: optional(day('When it is due')),
})

const mergeRequest = closed({
  ...item,
  source: text('Branch that is to be merged'),
  target: optional(text('Branch that it is merged into; the default branch unless given')),
  reviewers: optional(names('Usernames')),
  approved_by: optional(names('Usernames')),
  state: optional(Type.Enum(['opened', 'closed', 'merged'], { description: '`opened` unless given' })),
})

const commit = closed({
  message: text('Its message'),
  author: optional(username('Who makes it; the owner of the project unless given')),
  branch: optional(text('Branch that it is on; the default branch unless given')),
  from: optional(text('Branch, tag or commit that a new branch begins at; the default branch unless given')),
  files: Type.Record(Type.String(), Type.Union([Type.String(), Type.Null()]), {
    description: 'Texts by path, of which `null` deletes one',
    minProperties: 1,
  }),
  tag: optional(text('Name of a tag of this commit')),
  at,
})

/** How a job may be. */
export const jobStatuses = ['success', 'failed', 'canceled', 'skipped', 'manual', 'pending', 'running', 'created'] as const

const job = closed({
  name: text('Its name'),
  stage: optional(text('Its stage; `test` unless given. Stages run in the order in which they are named first')),
  status: Type.Enum(jobStatuses, { description: 'How it is' }),
  log: optional(anyText('What it wrote')),
  failure_reason: optional(text('Why it failed; `script_failure` unless given')),
  allow_failure: optional(flag('Whether the pipeline passes although it fails')),
  coverage: optional(Type.Number({ minimum: 0, maximum: 100, description: 'Percent' })),
})

const pipeline = closed({
  ref: optional(text('Branch or tag; the default branch unless given')),
  author: optional(username('Who starts it; the owner of the project unless given')),
  jobs: Type.Array(job, { minItems: 1, description: 'Its jobs. No CI file is needed' }),
  variables: optional(Type.Record(Type.String(), Type.String(), { description: 'Variables by key' })),
  at,
})

const release = closed({
  tag: text('Name of the tag, which is made where there is none'),
  ref: optional(text('Branch, tag or commit of a new tag; the default branch unless given')),
  name: optional(text('Its name')),
  description: optional(anyText('Markdown')),
  author: optional(username('Who makes it; the owner of the project unless given')),
  milestones: optional(names('Titles')),
  links: optional(Type.Array(closed({ name: text('Its name'), url: text('Where it leads') }))),
  at,
})

const person = closed({
  username: text('Username'),
  name: optional(text('Name; the username unless given')),
  email: optional(text('Address; `<username>@example.com` unless given')),
  password: optional(text('Password for pages and git; without one nobody signs in with a password')),
  token: optional(Type.String({ minLength: 20, description: 'Personal access token; a random one unless given' })),
  scopes: optional(
    Type.Array(Type.Enum([...tokenScopes]), { minItems: 1, description: 'Scopes of the token; all but `sudo` unless given' }),
  ),
  admin: optional(flag('Whether the user is an administrator')),
})

const group = closed({
  path: text('Full path, `tools` or `tools/cli`; the group above stands before it'),
  name: optional(text('Name; the end of the path unless given')),
  description: optional(anyText('What it is for')),
  visibility,
  owner: optional(username('Who makes and owns it; `root` unless given')),
  members,
  labels,
  milestones,
})

const project = closed({
  path: text('Full path: that of a group or a username, and the name in the address'),
  name: optional(text('Name; the end of the path unless given')),
  description: optional(anyText('What it is for')),
  visibility,
  owner: optional(username('Who makes it and what has no author; whom the path names, or the owner of the group, unless given')),
  default_branch: optional(text('`main` unless given')),
  topics: optional(names('Topics')),
  members,
  labels,
  milestones,
  history: optional(Type.Array(commit, { description: 'Commits, in this order' })),
  issues: optional(Type.Array(issue, { description: 'Issues, in the order of their iids' })),
  merge_requests: optional(Type.Array(mergeRequest, { description: 'Merge requests, in the order of their iids' })),
  pipelines: optional(Type.Array(pipeline, { description: 'Pipelines, in the order of their ids. Pushes of the world make none' })),
  releases: optional(Type.Array(release, { description: 'Releases, in this order' })),
})

/** A world for tests. */
export const World = closed({
  $schema: optional(anyText('Address of this schema, for editors')),
  time: optional(
    instant('When the first thing is made; each next one is made a second later. With it, dates and ids of commits are always the same'),
  ),
  people: optional(Type.Array(person, { description: 'Users besides `root`, in the order of their ids' })),
  groups: optional(Type.Array(group, { description: 'Groups, in the order of their ids' })),
  projects: optional(Type.Array(project, { description: 'Projects, in the order of their ids' })),
})

export type World = Static<typeof World>
export type WorldPerson = Static<typeof person>
export type WorldGroup = Static<typeof group>
export type WorldProject = Static<typeof project>
export type WorldCommit = Static<typeof commit>
export type WorldIssue = Static<typeof issue>
export type WorldMergeRequest = Static<typeof mergeRequest>
export type WorldPipeline = Static<typeof pipeline>
export type WorldJob = Static<typeof job>
export type WorldRelease = Static<typeof release>

/** The JSON schema, as it is published. */
export const schemaText = `${JSON.stringify(
  {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'A world for tests',
    description: 'People, groups and projects that `ingot start --ephemeral --world FILE` makes',
    ...World,
  },
  undefined,
  2,
)}\n`
