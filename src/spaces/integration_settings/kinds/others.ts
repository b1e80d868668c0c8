/** Servers that build and deploy, mail, documentation, and what is only kept. */
import {
  branches,
  brokenOnly,
  called,
  defaultBranchOnly,
  flagField,
  type IntegrationKind,
  line,
  link,
  long,
  must,
  type SettingField,
  secret,
} from './field.ts'

const verified: SettingField = flagField('enable_ssl_verification', 'Whether the certificate of the server is checked', {
  label: 'Check the certificate',
  initial: true,
})
const user = (about: string) => line('username', about, { label: 'Username' })
const password = (about: string) => secret('password', about, { label: 'Password or API token' })
const recipients = (about: string) => must(long('recipients', about, { label: 'Recipients' }))

const builds: readonly IntegrationKind[] = [
  {
    slug: 'jenkins',
    title: 'Jenkins',
    about: 'Tells Jenkins of pushes and merge requests, so that it builds.',
    group: 'Builds',
    fields: [
      must(called('jenkins_url', 'Address of Jenkins', { label: 'Address', example: 'https://jenkins.example.com' })),
      must(line('project_name', 'Name of the job, as it stands in its address', { label: 'Job' })),
      user('User of Jenkins'),
      password('Password or API token of the user'),
    ],
    events: ['push_events', 'merge_requests_events', 'tag_push_events'],
  },
  {
    slug: 'drone-ci',
    title: 'Drone',
    about: 'Tells Drone of pushes and merge requests, so that it builds.',
    group: 'Builds',
    fields: [
      must(secret('token', 'Token of the repository in Drone', { label: 'Token' })),
      must(called('drone_url', 'Address of Drone', { label: 'Address', example: 'https://drone.example.com' })),
      verified,
    ],
    events: ['push_events', 'merge_requests_events', 'tag_push_events'],
  },
  {
    slug: 'teamcity',
    title: 'JetBrains TeamCity',
    about: 'Puts a build into the queue of TeamCity after a push.',
    group: 'Builds',
    fields: [
      must(called('teamcity_url', 'Address of TeamCity', { label: 'Address', example: 'https://teamcity.example.com' })),
      must(line('build_type', 'ID of the build configuration', { label: 'Build configuration' })),
      must(user('User who may start builds')),
      must(password('Password of the user')),
    ],
    events: ['push_events'],
  },
  {
    slug: 'bamboo',
    title: 'Atlassian Bamboo',
    about: 'Keeps the settings of Bamboo.',
    group: 'Builds',
    fields: [
      must(called('bamboo_url', 'Address of Bamboo', { label: 'Address', example: 'https://bamboo.example.com' })),
      must(line('build_key', 'Key of the build plan', { label: 'Build plan', unlisted: true })),
      must(user('User of Bamboo')),
      must(password('Password of the user')),
    ],
    events: ['push_events'],
    kept: true,
  },
  {
    slug: 'buildkite',
    title: 'Buildkite',
    about: 'Keeps the settings of Buildkite.',
    group: 'Builds',
    fields: [
      must(secret('token', 'Token of the pipeline', { label: 'Token' })),
      must(link('project_url', 'Address of the pipeline', { label: 'Pipeline', example: 'https://buildkite.com/example/pipeline' })),
      verified,
    ],
    events: ['push_events', 'merge_requests_events', 'tag_push_events'],
    kept: true,
  },
  {
    slug: 'packagist',
    title: 'Packagist',
    about: 'Keeps the settings of Packagist.',
    group: 'Builds',
    fields: [
      must(user('User of Packagist')),
      must(secret('token', 'API token of the user', { label: 'Token' })),
      called('server', 'Address of the server; empty: packagist.org', { label: 'Server' }),
    ],
    events: ['push_events', 'merge_requests_events', 'tag_push_events'],
    kept: true,
  },
  {
    slug: 'github',
    title: 'GitHub',
    about: 'Keeps the settings of a repository on GitHub.',
    group: 'Builds',
    fields: [
      must(secret('token', 'Token that may set statuses', { label: 'Token' })),
      must(link('repository_url', 'Address of the repository', { label: 'Repository', example: 'https://github.com/example/repository' })),
      flagField('static_context', 'Whether statuses have the name of this server', { label: 'Name of this server' }),
    ],
    events: ['pipeline_events'],
    kept: true,
  },
]

const mails: readonly IntegrationKind[] = [
  {
    slug: 'emails-on-push',
    title: 'Emails on push',
    about: 'Mails the commits of each push, and their differences.',
    group: 'Mail',
    fields: [
      recipients('Email addresses, with spaces between'),
      flagField('disable_diffs', 'Whether differences are left out', { label: 'Without differences' }),
      flagField('send_from_committer_email', 'Kept, without effect: mails come from this server', { label: 'From the committer' }),
      branches('all'),
    ],
    events: ['push_events', 'tag_push_events'],
  },
  {
    slug: 'pipelines-email',
    title: 'Pipeline status emails',
    about: 'Mails the result of pipelines.',
    group: 'Mail',
    fields: [
      recipients('Email addresses, with commas between'),
      flagField('add_pusher', 'Whether the one whose push or click began the pipeline gets it too', { label: 'The user who began it too' }),
      brokenOnly(true),
      branches('default'),
      defaultBranchOnly,
    ],
    events: ['pipeline_events'],
  },
]

const documentation: readonly IntegrationKind[] = [
  {
    slug: 'external-wiki',
    title: 'External wiki',
    about: 'Links a wiki elsewhere from the pages of the project.',
    group: 'Documentation',
    fields: [must(link('external_wiki_url', 'Address of the wiki', { label: 'Wiki', example: 'https://wiki.example.com/project' }))],
    events: [],
  },
  {
    slug: 'confluence',
    title: 'Confluence Workspace',
    about: 'Links a Confluence workspace from the pages of the project.',
    group: 'Documentation',
    fields: [
      must(
        link('confluence_url', 'Address of the workspace on atlassian.net, ending in `/wiki`', {
          label: 'Workspace',
          example: 'https://example.atlassian.net/wiki',
        }),
      ),
    ],
    events: [],
  },
]

const monitoring: readonly IntegrationKind[] = [
  {
    slug: 'prometheus',
    title: 'Prometheus',
    about: 'Keeps the address of a Prometheus server.',
    group: 'Others',
    fields: [
      must(called('api_url', 'Address of the API', { label: 'Address', example: 'https://prometheus.example.com' })),
      line('google_iap_audience_client_id', 'Client ID of the resource that Google protects', { label: 'Client ID at Google' }),
      secret('google_iap_service_account_json', 'Contents of `credentials.json` of the service account', {
        label: 'Service account at Google',
      }),
    ],
    events: [],
    kept: true,
  },
  {
    slug: 'datadog',
    title: 'Datadog',
    about: 'Keeps the key of Datadog.',
    group: 'Others',
    fields: [
      must(secret('api_key', 'API key of Datadog', { label: 'API key' })),
      called('api_url', 'Full address of the API, where it is another one', { label: 'Address of the API' }),
      line('datadog_site', 'Site that data goes to', { label: 'Site', initial: 'datadoghq.com' }),
      line('datadog_service', 'Name of this server in Datadog', { label: 'Service' }),
      line('datadog_env', 'Environment in Datadog', { label: 'Environment' }),
    ],
    events: ['pipeline_events', 'job_events'],
    kept: true,
  },
]

export const others: readonly IntegrationKind[] = [...builds, ...mails, ...documentation, ...monitoring]
