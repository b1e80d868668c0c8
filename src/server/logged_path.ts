/** Parts of paths that open something: an invitation, what ends the mails of a thing, an upload. */
const SECRET_PARTS = /(\/-\/(?:invites|sent_notifications)\/|\/uploads\/)[\w-]{16,}/g

/**
 * The path of a request as it is logged: without its query, which may contain tokens, and without secrets that stand in the path.
 * @param url as it was asked for
 */
export const loggedPath = (url: string): string => (url.split('?', 1)[0] as string).replace(SECRET_PARTS, '$1…')
