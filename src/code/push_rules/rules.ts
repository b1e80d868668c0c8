/** What push rules say of a name, a commit and a file, in the lines that git prints. Nothing is read or written. */
import { type RefMove, shortNameOf, zeroId } from '../../platform/git/index.ts'
import { PatternTooCostly } from '../../platform/patterns/patterns.ts'
import type { PatternSearch } from '../../platform/patterns/search.ts'
import { isFound } from '../../spaces/push_rules/patterns.ts'
import type { PushRuleRow } from '../../spaces/push_rules/queries.ts'

/** Names of files that are secrets nearly always: credentials of cloud tools, private keys, histories of shells and consoles. */
const secretNames: readonly RegExp[] = [
  /(^|\/)\.?aws\/credentials$/,
  /(^|\/)\.?id_(rsa|dsa|ed25519|ecdsa)$/,
  /(^|\/)(ssh|config)\/[^/]+_(rsa|dsa|ed25519|ecdsa)$/,
  /(^|\/)\.ssh\/[^/]+_(rsa|dsa|ed25519|ecdsa)$/,
  /\.(pem|key)$/,
  /[._]history$/,
]

/** A commit as rules see it. */
export interface RuledCommit {
  readonly id: string
  readonly message: string
  readonly author: string
  readonly committer: string
  readonly isSigned: boolean
}

/** Longest text of a refusal that comes from the one who pushes. */
const shortened = (text: string): string => (text.length > 100 ? `${text.slice(0, 99)}…` : text)

/** The line of a rule; that of a pattern that takes too long refuses too. */
async function lineOf(rule: () => Promise<string | undefined>): Promise<string | undefined> {
  try {
    return await rule()
  } catch (error) {
    if (error instanceof PatternTooCostly) return `${error.message} (push rules).`
    throw error
  }
}

/** The line that refuses a move for the name of its reference, or undefined. `isPushed`: rules about deleted tags hold for pushes alone. */
export async function nameRefusal(
  rule: PushRuleRow,
  search: PatternSearch,
  { ref, new: target }: RefMove,
  defaultBranch: string | null,
  isPushed: boolean,
): Promise<string | undefined> {
  const short = shortNameOf(ref)
  if (short?.kind === 'tag') return isPushed && target === zeroId && rule.deny_delete_tag ? 'You cannot delete a tag.' : undefined
  if (short?.kind !== 'branch' || target === zeroId || short.name === defaultBranch) return undefined
  return lineOf(async () =>
    (await isFound(search, rule.branch_name_regex, short.name)) === false
      ? `Branch name does not follow the pattern '${rule.branch_name_regex}'.`
      : undefined,
  )
}

/**
 * The line that refuses a commit, or undefined.
 * @param own the confirmed addresses of the one who pushes, in small letters; undefined where the server wrote the commit for them
 */
export const commitRefusal = (
  rule: PushRuleRow,
  search: PatternSearch,
  commit: RuledCommit,
  own: ReadonlySet<string> | undefined,
): Promise<string | undefined> => lineOf(() => ruledCommit(rule, search, commit, own))

async function ruledCommit(
  rule: PushRuleRow,
  search: PatternSearch,
  commit: RuledCommit,
  own: ReadonlySet<string> | undefined,
): Promise<string | undefined> {
  const { message, author, committer } = commit
  const of = `commit ${commit.id.slice(0, 8)}`
  if ((await isFound(search, rule.commit_message_regex, message, true)) === false)
    return `Commit message does not follow the pattern '${rule.commit_message_regex}' (${of}).`
  if ((await isFound(search, rule.commit_message_negative_regex, message, true)) === true)
    return `Commit message contains the forbidden pattern '${rule.commit_message_negative_regex}' (${of}).`
  for (const [who, email] of [
    ['Author', author],
    ['Committer', committer],
  ] as const)
    if ((await isFound(search, rule.author_email_regex, email)) === false)
      return `${who}'s email '${shortened(email)}' does not follow the pattern '${rule.author_email_regex}' (${of}).`
  if (own && rule.commit_committer_check && !own.has(committer.toLowerCase()))
    return `You cannot push commits for '${shortened(committer)}'. You can only push commits whose committer has one of your own verified emails (${of}).`
  if (own && rule.reject_unsigned_commits && !commit.isSigned) return `Commit must be signed with a GPG key (${of}).`
  return undefined
}

/** Do the rules ask for anything in the commits themselves? */
export const looksAtCommits = (rule: PushRuleRow): boolean =>
  Boolean(rule.commit_message_regex || rule.commit_message_negative_regex || rule.author_email_regex) ||
  rule.member_check ||
  rule.commit_committer_check ||
  rule.reject_unsigned_commits ||
  looksAtFiles(rule)

/** Do they ask for anything in the files? */
export const looksAtFiles = (rule: PushRuleRow): boolean => Boolean(rule.file_name_regex) || rule.prevent_secrets || rule.max_file_size > 0

/** The line that refuses a new file for its path, or undefined. */
export const pathRefusal = (rule: PushRuleRow, search: PatternSearch, path: string): Promise<string | undefined> =>
  lineOf(() => ruledPath(rule, search, path))

async function ruledPath(rule: PushRuleRow, search: PatternSearch, path: string): Promise<string | undefined> {
  if ((await isFound(search, rule.file_name_regex, path)) === true)
    return `File name ${shortened(path)} was prohibited by the pattern '${rule.file_name_regex}'.`
  if (rule.prevent_secrets && secretNames.some(name => name.test(path)))
    return `File name ${shortened(path)} was prohibited: files that are called so hold secrets.`
  return undefined
}

/** The line that refuses a file for its size. */
export const sizeRefusal = (rule: PushRuleRow, path: string): string =>
  `File ${shortened(path)} is larger than the allowed size of ${rule.max_file_size} MB.`
