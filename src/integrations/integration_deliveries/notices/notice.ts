/** What happened, in words and links, for people in a chat. Pure. */
import { nameIn, type Payload, refIn } from '../payload.ts'

/** A word or more, or a link. */
export type Part = string | { readonly text: string; readonly href: string }

/** An event for people to read. */
export interface Notice {
  /** What happened, in one line. */
  readonly head: readonly Part[]
  /** What more there is to say: a list of lines. */
  readonly lines: readonly (readonly Part[])[]
  /** What a person wrote. */
  readonly written?: string
  readonly tone: 'plain' | 'good' | 'bad'
}

const zero = /^0+$/
/** Commits that are listed. */
const LISTED = 10
/** Characters of what a person wrote. */
const LONGEST = 1_000

const projectLink = ({ project }: Payload): Part => ({ text: project.path_with_namespace, href: project.web_url })

const shortened = (text: string | null | undefined): string | undefined => {
  const trimmed = (text ?? '').trim()
  if (trimmed === '') return undefined
  return trimmed.length > LONGEST ? `${trimmed.slice(0, LONGEST)}…` : trimmed
}

const plain = (head: readonly Part[], more: Partial<Notice> = {}): Notice => ({ head, lines: [], tone: 'plain', ...more })

/** The notice of an event; undefined for one that chats are not notified of. */
export function noticeOf(payload: Payload): Notice | undefined {
  switch (payload.object_kind) {
    case 'push':
    case 'tag_push':
      return pushNotice(payload)
    case 'issue':
      return itemNotice(payload, 'issue', '#')
    case 'merge_request':
      return itemNotice(payload, 'merge request', '!')
    case 'note':
      return noteNotice(payload)
    case 'pipeline':
      return pipelineNotice(payload)
    case 'deployment':
      return deploymentNotice(payload)
    case 'wiki_page':
      return wikiNotice(payload)
    default:
      return undefined
  }
}

function pushNotice(payload: Payload): Notice {
  const { before = '', after = '', project, commits = [], total_commits_count: total = 0 } = payload
  const ref = refIn(payload)
  const noun = ref?.isTag ? 'tag' : 'branch'
  const name = ref?.name ?? ''
  const href = `${project.web_url}/-/${ref?.isTag ? 'tags' : 'commits'}/${name.split('/').map(encodeURIComponent).join('/')}`
  if (zero.test(after)) return plain([`${nameIn(payload)} removed the ${noun} ${name} from `, projectLink(payload)])
  if (zero.test(before)) {
    const made = [`${nameIn(payload)} pushed the new ${noun} `, { text: name, href }, ' to ', projectLink(payload)]
    return plain(made, ref?.isTag ? {} : { lines: commitLines(commits, total) })
  }
  return plain(
    [
      `${nameIn(payload)} pushed to the ${noun} `,
      { text: name, href },
      ' of ',
      projectLink(payload),
      ' (',
      { text: 'compare', href: `${project.web_url}/-/compare/${before}...${after}` },
      ')',
    ],
    { lines: commitLines(commits, total) },
  )
}

function commitLines(commits: NonNullable<Payload['commits']>, total: number): (readonly Part[])[] {
  const shown = commits.slice(-LISTED)
  const lines = shown.map(({ id, url, title, author }): readonly Part[] => [
    { text: id.slice(0, 8), href: url },
    `: ${title} - ${author.name}`,
  ])
  const left = total - shown.length
  return left > 0 ? [...lines, [`and ${left} more`]] : lines
}

const actionWords: Readonly<Record<string, string>> = {
  open: 'opened',
  close: 'closed',
  reopen: 'reopened',
  merge: 'merged',
  approved: 'approved',
  unapproved: 'took back the approval of',
}

/** Contract: other changes of an item are not reported (services API). */
function itemNotice(payload: Payload, noun: string, sigil: string): Notice | undefined {
  const { iid, title, url = '', action, description } = payload.object_attributes ?? ({} as never)
  const word = actionWords[action ?? 'open']
  if (word === undefined) return undefined
  const written = (action ?? 'open') === 'open' ? shortened(description) : undefined
  return plain([`${nameIn(payload)} ${word} the ${noun} `, { text: `${sigil}${iid} ${title}`, href: url }, ' in ', projectLink(payload)], {
    ...(written !== undefined && { written }),
  })
}

function noteNotice(payload: Payload): Notice {
  const { url = '', note } = payload.object_attributes ?? ({} as never)
  const { issue, merge_request: mergeRequest, commit } = payload
  const about = issue
    ? `the issue #${issue.iid} ${issue.title}`
    : mergeRequest
      ? `the merge request !${mergeRequest.iid} ${mergeRequest.title}`
      : commit
        ? `the commit ${commit.id.slice(0, 8)}`
        : 'a snippet'
  const written = shortened(note)
  return plain([`${nameIn(payload)} `, { text: 'commented', href: url }, ` on ${about} in `, projectLink(payload)], {
    ...(written !== undefined && { written }),
  })
}

/** The jobs for which a pipeline failed, as many as are listed. */
export const failedJobs = ({ builds = [] }: Payload) =>
  builds.filter(build => build.status === 'failed' && !build.allow_failure).slice(0, LISTED)

/** Seconds as minutes and seconds. */
export const minutesOf = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(Math.round(seconds % 60)).padStart(2, '0')}`

function pipelineNotice(payload: Payload): Notice | undefined {
  const { id, ref = '', tag, status, duration } = payload.object_attributes ?? ({} as never)
  if (status !== 'success' && status !== 'failed') return undefined
  const took = duration == null ? '' : ` in ${minutesOf(duration)}`
  return {
    head: [
      'Pipeline ',
      { text: `#${id}`, href: `${payload.project.web_url}/-/pipelines/${id}` },
      ` of ${tag ? 'tag' : 'branch'} ${ref} in `,
      projectLink(payload),
      ` by ${nameIn(payload)} ${status === 'success' ? 'passed' : 'failed'}${took}`,
    ],
    lines: failedJobs(payload).map(({ stage, name }) => [`Failed: ${name} (${stage})`]),
    tone: status === 'success' ? 'good' : 'bad',
  }
}

function deploymentNotice(payload: Payload): Notice {
  const { status = '', environment = '', deployable_url, short_sha = '', commit_url } = payload
  const words: Readonly<Record<string, string>> = {
    running: 'is running',
    success: 'succeeded',
    failed: 'failed',
    canceled: 'was canceled',
  }
  const job: readonly Part[] = deployable_url ? [' with ', { text: 'its job', href: deployable_url }] : []
  return {
    head: [
      `Deployment of ${nameIn(payload)} to ${environment} ${words[status] ?? status} in `,
      projectLink(payload),
      ...job,
      ...(commit_url === undefined ? [] : [' from ', { text: short_sha, href: commit_url }]),
    ],
    lines: [],
    tone: status === 'success' ? 'good' : status === 'failed' ? 'bad' : 'plain',
  }
}

function wikiNotice(payload: Payload): Notice {
  const { title = '', url = '', action, message } = payload.object_attributes ?? ({} as never)
  const word = action === 'create' ? 'added' : action === 'delete' ? 'removed' : 'changed'
  const written = shortened(message)
  return plain([`${nameIn(payload)} ${word} the wiki page `, { text: title, href: url }, ' in ', projectLink(payload)], {
    ...(written !== undefined && { written }),
  })
}
