/** The deploy tokens of projects and groups: they open repositories, images and packages, without an account. */
import type { DeployTokenScope } from '../../platform/access/credentials/token_scopes.ts'
import type { Endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import { time } from '../../platform/pages/components/time.ts'
import { declarationOf } from '../../platform/pages/forms/declared.ts'
import { html } from '../../platform/pages/html.ts'
import { groupDeployTokens, projectDeployTokens } from '../../spaces/deploy_tokens/endpoints.ts'
import type { InEither } from '../places/planning.ts'
import { groupHome, type Home, projectHome } from '../things/homes.ts'
import { thingPages } from '../things/things.ts'

interface Token {
  readonly id: number
  readonly name: string
  readonly username: string
  readonly scopes: readonly string[]
  readonly expires_at: string | null
  readonly expired: boolean
}

/** What is offered. */
const offered = [
  ['read_repository', 'Clone and fetch'],
  ['read_registry', 'Pull container images'],
  ['write_registry', 'Pull and push container images'],
  ['read_package_registry', 'Install packages'],
  ['write_package_registry', 'Install and publish packages'],
] as const satisfies readonly (readonly [DeployTokenScope, string])[]

const deployTokenPages = (home: Home<InEither>, api: readonly Endpoint[]) =>
  thingPages<InEither, Token>({
    home,
    path: '/-/settings/deploy_tokens',
    key: 'deploy_tokens',
    title: 'Deploy tokens',
    icon: 'rocket',
    purpose: 'With a deploy token a server fetches what it runs, without an account.',
    list: declarationOf(api, 'GET', /\/deploy_tokens$/),
    row: ({ name, username, scopes, expires_at, expired }) =>
      html`<div class="title">${name}</div><div class="facts"><span class="mono">${username}</span><span>${scopes.join(', ')}</span><span>${expires_at === null ? 'does not end' : html`${expired ? 'ended' : 'ends'} ${time(expires_at)}`}</span></div>`,
    labelOf: ({ name }) => name,
    idOf: ({ id }) => id,
    id: 'token_id',
    add: {
      of: declarationOf(api, 'POST', /\/deploy_tokens$/),
      title: 'Add deploy token',
      fields: () => [
        { name: 'name', autofocus: true, hint: 'Where it is used.' },
        { name: 'username', hint: 'Goes with the token where a name is asked for; one is made where it is empty.' },
        { name: 'expires_at', label: 'Ends at (UTC)', hint: 'Empty: it does not end.' },
        {
          name: 'scopes',
          label: 'What it opens',
          control: 'checkboxes',
          choices: offered.map(([scope, meaning]) => [scope, html`<code>${scope}</code>`, meaning] as const),
          hint: '',
        },
      ],
      values: () => ({ scopes: ['read_repository'] }),
      secret: made => made,
      besides: (_ctx, { username }: Token) => html`<p>It goes with the username <code>${username}</code>.</p>`,
      notice: 'The token was made.',
      confirms: true,
    },
    remove: {
      of: declarationOf(api, 'DELETE', /\/:token_id$/),
      button: 'Revoke',
      notice: 'The token opens nothing any more.',
      confirms: true,
    },
  })

export const projectDeployTokenPages = deployTokenPages(projectHome, projectDeployTokens)
export const groupDeployTokenPages = deployTokenPages(groupHome, groupDeployTokens)
