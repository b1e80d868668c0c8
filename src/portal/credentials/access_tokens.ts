/** The access tokens of projects and groups: each belongs to a bot that is a member there. */

import { meaningOfScope, type TokenScope } from '../../platform/access/credentials/token_scopes.ts'
import { roleName } from '../../platform/events/audit/entry.ts'
import type { Endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import { chip } from '../../platform/pages/components/chip.ts'
import { time } from '../../platform/pages/components/time.ts'
import { declarationOf } from '../../platform/pages/forms/declared.ts'
import { html } from '../../platform/pages/html.ts'
import { groupAccessTokens, projectAccessTokens } from '../../spaces/tokens/endpoints.ts'
import type { InEither } from '../places/planning.ts'
import { groupHome, type Home, projectHome } from '../things/homes.ts'
import { thingPages } from '../things/things.ts'

interface Token {
  readonly id: number
  readonly name: string
  readonly scopes: readonly string[]
  readonly access_level: number
  readonly expires_at: string | null
  readonly last_used_at: string | null
}

const offered: readonly TokenScope[] = ['api', 'read_api', 'read_repository', 'write_repository']

/** What a bot can do by a scope, by its role. */
const meaning = (scope: TokenScope): string => meaningOfScope[scope].replace(/that you can (do|read)/, 'that the role allows')

function accessTokenPages(home: Home<InEither>, api: readonly Endpoint[], roles: readonly number[]) {
  const confirms = true as const
  return thingPages<InEither, Token>({
    home,
    path: '/-/settings/access_tokens',
    key: 'access_tokens',
    title: 'Access tokens',
    icon: 'key',
    purpose: `With an access token a program acts here as a member of its own, which leaves no one’s account at risk.`,
    list: declarationOf(api, 'GET', /\/access_tokens$/),
    row: ({ name, scopes, access_level, expires_at, last_used_at }) =>
      html`<div class="title">${name} ${chip(roleName(access_level))}</div><div class="facts"><span>${scopes.join(', ')}</span><span>${expires_at === null ? 'does not end' : html`ends on ${expires_at}`}</span><span>${last_used_at === null ? 'never used' : html`used ${time(last_used_at)}`}</span></div>`,
    labelOf: ({ name }) => name,
    idOf: ({ id }) => id,
    id: 'token_id',
    add: {
      of: declarationOf(api, 'POST', /\/access_tokens$/),
      title: 'Add token',
      fields: () => [
        { name: 'name', autofocus: true, hint: 'What the token is for: the bot is called so.' },
        { name: 'expires_at', label: 'Last day', hint: 'Empty: it does not end.' },
        {
          name: 'access_level',
          label: 'Role',
          control: 'select',
          choices: roles.map(level => [String(level), roleName(level)] as const),
          hint: 'What the bot may do here.',
        },
        {
          name: 'scopes',
          label: 'What it opens',
          control: 'checkboxes',
          choices: offered.map(scope => [scope, html`<code>${scope}</code>`, meaning(scope)] as const),
          hint: '',
        },
      ],
      secret: made => made,
      notice: 'The token was made.',
      confirms,
    },
    actions: [
      {
        key: 'rotate',
        button: 'Rotate',
        of: declarationOf(api, 'POST', /\/rotate$/),
        secret: made => made,
        notice: 'A new token is in its place.',
        confirms,
      },
    ],
    remove: { of: declarationOf(api, 'DELETE', /\/:token_id$/), button: 'Revoke', notice: 'The token opens nothing any more.', confirms },
  })
}

export const projectTokenPages = accessTokenPages(projectHome, projectAccessTokens, [10, 20, 30, 40])
export const groupTokenPages = accessTokenPages(groupHome, groupAccessTokens, [10, 20, 30, 40, 50])
