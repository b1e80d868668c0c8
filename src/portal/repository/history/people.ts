/** The people of commits: the accounts of those who are known, by name otherwise. */
import { accountsByEmail } from '../../../identity/emails/queries.ts'
import type { SummaryRow } from '../../../identity/users/queries.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { avatar } from '../../../platform/pages/components/avatar.ts'
import { type Html, html } from '../../../platform/pages/html.ts'

/** Accounts by the address in small letters. */
export type Accounts = ReadonlyMap<string, SummaryRow>

/** The accounts of those who wrote these commits: one statement for a page. */
export const accountsOf = (db: Db, commits: readonly { readonly author_email: string }[]): Promise<Accounts> =>
  accountsByEmail(
    db,
    commits.map(({ author_email }) => author_email),
  )

/** A person of a commit: a link to the account, or the name. */
export function personView(accounts: Accounts, { name, email }: { readonly name: string; readonly email: string }): Html {
  const account = accounts.get(email.toLowerCase())
  const picture = avatar({ name: account?.name ?? name, avatar_url: account?.avatar_url ?? null })
  return account
    ? html`<span class="nowrap">${picture} <a class="quiet" href="/${account.username}">${account.name}</a></span>`
    : html`<span class="nowrap">${picture} ${name}</span>`
}
