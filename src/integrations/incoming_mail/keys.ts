/** What an address of this instance is for, by the key in it. */
import type { Deps } from '../../platform/kernel/context.ts'
import { readMailedKey } from '../mailed_items/addresses.ts'
import { toNewIssue } from '../mailed_items/issues.ts'
import { toNewMergeRequest } from '../mailed_items/merge_requests.ts'
import { readReplyKey } from '../notifications/reply_address.ts'
import { deskOfKey, endsWithProjectKey } from '../service_desk/desks.ts'
import { readParticipantKey } from '../service_desk/participants.ts'
import { toRequest, toServiceDesk } from '../service_desk/requests.ts'
import { type Destination, toItem } from './destinations.ts'

/** Where the mails of a key go; undefined for a key that is not of this instance. */
export function destinationOf(deps: Pick<Deps, 'secrets'>, key: string): Destination | undefined {
  const answerable = readReplyKey(deps, key)
  if (answerable) return toItem(answerable)
  const participant = readParticipantKey(deps, key)
  if (participant !== undefined) return toRequest(participant)
  const mailed = readMailedKey(deps, key)
  if (mailed) return mailed.kind === 'issue' ? toNewIssue(mailed) : toNewMergeRequest(mailed)
  const project = /^(?:[a-z0-9._-]+-)?(\d{1,15})-issue-$/.exec(key)?.[1]
  return project === undefined ? undefined : toServiceDesk(async () => Number(project))
}

/** The same for a key that ends as those of projects with a key of their own do: there may be no such project. */
export const possibleDestinationOf = (key: string): Destination | undefined =>
  endsWithProjectKey(key) ? toServiceDesk(ctx => deskOfKey(ctx, key)) : undefined
