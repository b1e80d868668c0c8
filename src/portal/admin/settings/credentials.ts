/** The settings of the instance that say how long sessions, tokens and keys live. */
import { updateApplicationSettings } from '../../../platform/application_settings/endpoints.ts'
import { settings } from '../../../platform/application_settings/settings.ts'
import { instancePage, instanceValues } from './declared.ts'

const shared = { of: updateApplicationSettings, values: instanceValues, confirms: true } as const

const days = (name: string, label: string) => ({ name, label, hint: 'Days; existing ones end too. Empty: no limit.' }) as const

const keys = [
  ['rsa', 'RSA'],
  ['dsa', 'DSA'],
  ['ecdsa', 'ECDSA'],
  ['ed25519', 'Ed25519'],
  ['ecdsa_sk', 'ECDSA security'],
  ['ed25519_sk', 'Ed25519 security'],
] as const

/** The sizes of keys that the setting of a type may ask for. */
const sizesOf = (type: string): readonly (readonly [string, string])[] => [
  ['0', 'All are taken'],
  ['-1', 'None are taken'],
  ...(
    settings[`${type}_key_restriction` as keyof typeof settings] as unknown as { readonly anyOf: readonly { readonly const: number }[] }
  ).anyOf
    .map(one => one.const)
    .filter(size => size > 0)
    .map(size => [String(size), `${size} bits and more`] as const),
]

export const credentialsPage = instancePage({
  key: 'credentials',
  sections: [
    {
      ...shared,
      key: 'sessions',
      title: 'Sessions',
      fields: [
        { name: 'session_expire_delay', label: 'Minutes that an unused session lasts', required: true, hint: '' },
        { name: 'max_session_lifetime', label: 'Days that a session lasts at most', required: true, hint: 'However often it is used.' },
        {
          name: 'admin_mode',
          label: 'Administrators enter admin mode first',
          hint: 'In the browser they are like other users until they confirm that it is them, for six hours. Tokens and git are as before.',
        },
      ],
    },
    {
      ...shared,
      key: 'two_factor',
      title: 'Two factors',
      fields: [
        {
          name: 'require_two_factor_authentication',
          label: 'All users must have a second factor',
          hint: 'Groups can require it of their members by themselves.',
        },
        { name: 'require_admin_two_factor_authentication', label: 'Administrators must have a second factor', hint: '' },
        {
          name: 'two_factor_grace_period',
          label: 'Hours that they have for setting it up',
          required: true,
          hint: 'From their first visit on. Afterwards a session reaches nothing else; tokens go on.',
        },
      ],
    },
    {
      ...shared,
      key: 'lifetimes',
      title: 'Longest life of tokens and keys',
      fields: [
        days('max_personal_access_token_lifetime', 'Access tokens'),
        days('max_ssh_key_lifetime', 'SSH keys and deploy keys'),
        days('max_deploy_token_lifetime', 'Deploy tokens'),
        days('max_trigger_token_lifetime', 'Tokens that start pipelines'),
        days('max_scim_token_lifetime', 'Tokens of identity providers'),
        days('max_registration_token_lifetime', 'Tokens that runners register with'),
        days('max_invitation_lifetime', 'Links of invitations'),
        days('max_application_secret_lifetime', 'Secrets of OAuth applications'),
      ],
    },
    {
      ...shared,
      key: 'access',
      title: 'Tokens and keys',
      fields: [
        {
          name: 'personal_access_token_prefix',
          label: 'What access tokens begin with',
          placeholder: 'ingot-',
          hint: 'So that programs find lost ones in texts.',
        },
        ...keys.map(([type, label]) => ({
          name: `${type}_key_restriction`,
          label: `${label} keys`,
          control: 'select' as const,
          choices: sizesOf(type),
          hint: '',
        })),
      ],
    },
    {
      ...shared,
      key: 'git',
      title: 'Git',
      fields: [
        {
          name: 'enabled_git_access_protocol',
          label: 'Protocols',
          control: 'radio',
          choices: [
            ['', 'SSH and HTTP'],
            ['ssh', 'SSH alone'],
            ['http', 'HTTP alone'],
          ],
          hint: 'Jobs fetch by HTTP in any case.',
        },
        {
          name: 'password_authentication_enabled_for_git',
          label: 'Passwords of accounts open git over HTTP',
          hint: 'If not, tokens alone do.',
        },
      ],
    },
    {
      ...shared,
      key: 'oauth',
      title: 'OAuth',
      fields: [
        { name: 'oauth_access_token_lifetime', label: 'Seconds that an access token lives', required: true, hint: 'From 300 to 86400.' },
        { name: 'oauth_refresh_token_lifetime', label: 'Days that an unused refresh token lives', required: true, hint: '' },
        {
          name: 'max_oauth_grant_lifetime',
          label: 'Days that what a person granted to an application lasts at most',
          required: true,
          hint: 'However often it was refreshed.',
        },
      ],
    },
  ],
})
