/** Global ids as scalars: for each kind of thing a type of its own, which takes the ids of that kind alone. */
import { GraphQLError } from 'graphql'

/** The kinds that the ids of a scalar name. Notes, threads and snippets have several, which are one to those who take them. */
const kindsOf = {
  AwardableID: ['Issue', 'MergeRequest', 'Epic', 'Snippet', 'ProjectSnippet', 'PersonalSnippet', 'Note', 'DiffNote', 'DiscussionNote'],
  BoardID: ['Board'],
  CiBuildID: ['Ci::Build', 'Ci::Bridge'],
  CiPipelineID: ['Ci::Pipeline'],
  CiRunnerID: ['Ci::Runner'],
  ContainerRepositoryID: ['ContainerRepository'],
  DiscussionID: ['Discussion', 'DiffDiscussion', 'IndividualNoteDiscussion'],
  EpicID: ['Epic'],
  IssueID: ['Issue'],
  IterationID: ['Iteration'],
  LabelID: ['Label', 'ProjectLabel', 'GroupLabel'],
  ListID: ['List'],
  MergeRequestID: ['MergeRequest'],
  MilestoneID: ['Milestone'],
  NoteID: ['Note', 'DiffNote', 'DiscussionNote'],
  NoteableID: ['Issue', 'MergeRequest', 'Epic', 'Snippet', 'ProjectSnippet', 'PersonalSnippet'],
  PackagesPackageID: ['Packages::Package'],
  ReleasesLinkID: ['Releases::Link'],
  SnippetID: ['Snippet', 'ProjectSnippet', 'PersonalSnippet'],
  TodoID: ['Todo'],
  TodoableID: ['Issue', 'MergeRequest', 'Epic'],
  UserID: ['User'],
} as const satisfies Readonly<Record<string, readonly [string, ...string[]]>>

export type IdScalar = keyof typeof kindsOf

/** The scalars in the language of schemas. */
export const idScalars = Object.entries(kindsOf)
  .map(([name, [kind]]) => `"Global ID of a thing of the kind ${kind}: \`gid://gitlab/${kind}/1\`"\nscalar ${name}`)
  .join('\n')

/** Is this the name of a scalar of ids? */
export const isIdScalar = (name: string): name is IdScalar => Object.hasOwn(kindsOf, name)

/** A global id in its parts. */
export interface GlobalId {
  readonly kind: string
  /** A number, or the digits of a thread. */
  readonly id: string
}

const notOf = (value: unknown, kind: string) => new GraphQLError(`"${String(value)}" does not represent an instance of ${kind}`)

/**
 * The parts of a global id of a scalar.
 * @throws GraphQLError for what is none, in the words of a value that is not of its type
 */
export function globalIdIn(scalar: IdScalar, value: unknown): GlobalId {
  const [, kind, id] = (typeof value === 'string' && /^gid:\/\/gitlab\/([\w:]{1,60})\/(\d{1,15}|[0-9a-f]{40})$/.exec(value)) || []
  const kinds: readonly string[] = kindsOf[scalar]
  if (kind === undefined || id === undefined || !kinds.includes(kind)) throw notOf(value, kinds[0] as string)
  if (id.length === 40 && scalar !== 'DiscussionID') throw notOf(value, kinds[0] as string)
  return { kind, id }
}

/** The number in a global id. */
export const numberIn = (scalar: IdScalar, value: unknown): number => Number(globalIdIn(scalar, value).id)

/** The same where plain numbers are taken too, as the platform takes them in arguments of the type ID. */
export const numberOrGlobalId = (scalar: IdScalar, value: string): number =>
  /^\d{1,15}$/.test(value) ? Number(value) : numberIn(scalar, value)
