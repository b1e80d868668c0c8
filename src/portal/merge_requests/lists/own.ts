/** The caller's own lists of merge requests: what is assigned to them, what waits for their review, what they opened. */
import { type Html, html } from '../../../platform/pages/html.ts'

/** The page of what is assigned to the caller. */
export const OWN_MERGE_REQUESTS = '/dashboard/merge_requests'

const withName = (parameter: string, username: string): string =>
  `${OWN_MERGE_REQUESTS}?${new URLSearchParams({ [parameter]: username }).toString()}`

/** The list of what waits for the review of a user. */
export const reviewsPath = (username: string): string => withName('reviewer_username', username)

/** Links between these lists. `address`: of the page that shows them. */
export function ownLists(username: string, address: string): Html {
  const lists = [
    [OWN_MERGE_REQUESTS, 'Assigned to you'],
    [reviewsPath(username), 'Waiting for your review'],
    [withName('author_username', username), 'Opened by you'],
  ] as const
  return html`<nav class="subnav" aria-label="Your merge requests">${lists.map(([href, label]) => html`<a href="${href}"${href === address && html` aria-current="page"`}>${label}</a>`)}</nav>`
}
