/** One's token of incoming mail. */
import { incomingTokenOf, resetIncomingToken } from '../../identity/users/activity/incoming_email_tokens.ts'
import { html } from '../../platform/pages/html.ts'
import { ownTokenPage } from './own_token.ts'
import { SETTINGS } from './place.ts'

const NAME = 'incoming_email_token'

export const INCOMING_TOKEN_PAGE = `${SETTINGS}/${NAME}`

const pages = ownTokenPage({
  name: NAME,
  called: 'incoming email token',
  says: html`It is a part of the addresses by which you make issues and merge requests by mail, which the pages of issues and merge requests of a project show (More, New issue by mail). It opens nothing else, and only mails from your confirmed addresses are taken.`,
  tokenOf: incomingTokenOf,
  reset: resetIncomingToken,
})

export const showIncomingToken = pages.show
export const replaceIncomingToken = pages.replace
