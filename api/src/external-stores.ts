import { NO_PERSON, type Elsewhere } from '@gatehouse/model'

/** Personal data outside our tables, each with its doctor check. */
export const EXTERNAL_STORES: Record<string, Elsewhere> = {
  'identity-provider': {
    holds: {
      account: {
        label: 'User name, name, email address, language and password hash of your account',
        category: 'account',
        purposes: ['account'],
        retention: 'relationship',
        source: 'you',
      },
    },
    by: 'sub',
    erase: 'row',
    kept: null,
    check: 'identity provider',
    places: [
      'keycloak.credential',
      'keycloak.federated_identity',
      'keycloak.user_attribute',
      'keycloak.user_consent',
      'keycloak.user_entity',
      'keycloak.user_role_mapping',
    ],
  },
  'identity-sessions': {
    holds: {
      session: {
        label: 'IP address, browser and user name of a session at the identity provider',
        category: 'technical',
        purposes: ['account', 'security'],
        retention: 'transient',
        source: 'system',
      },
    },
    by: 'sub',
    erase: 'row',
    kept: 'when you sign out, at most 10 hours',
    check: 'identity provider',
    places: ['keycloak.offline_client_session', 'keycloak.offline_user_session'],
  },
  mailbox: {
    holds: {
      message: {
        label: 'A copy of your messages in the mailbox of our staff',
        category: 'communication',
        purposes: ['enquiries', 'delivery'],
        retention: 'relationship',
        source: 'you',
      },
    },
    by: 'email',
    erase: 'opaque',
    kept: null,
    check: 'mail',
    places: [],
  },
  'identity-events': {
    holds: {
      events: {
        label:
          'When you signed in, or tried to, and from which IP address, at the identity provider',
        category: 'technical',
        purposes: ['security'],
        retention: 'transient',
        source: 'system',
      },
    },
    by: 'sub',
    erase: 'row',
    kept: '1 day',
    check: 'identity provider',
    places: ['keycloak.event_entity', 'keycloak.admin_event_entity'],
  },
  queue: {
    // Only row IDs: jobs/job.ts.
    holds: NO_PERSON,
    by: null,
    erase: 'opaque',
    kept: '7 days',
    check: 'database',
    places: [],
  },
  logs: {
    holds: NO_PERSON,
    by: null,
    erase: 'opaque',
    kept: '12 months',
    check: 'logs',
    places: [
      '/var/log/journal/*',
      '/var/log/nginx/access.log*',
      '/var/log/nginx/error.log*',
      '/var/log/pgbackrest/*',
      '/var/log/postgresql/postgresql-*',
      '/opt/keycloak/data/log/keycloak.log*',
    ],
  },
  backups: {
    holds: {
      everything: {
        label: 'A copy of all of the above, in our backups',
        category: 'technical',
        purposes: ['security'],
        retention: 'technical',
        source: 'system',
      },
    },
    by: null,
    erase: 'opaque',
    // Section 8 of the notice states their retention period.
    kept: null,
    check: 'backups',
    places: ['/var/backups/gatehouse', '/var/lib/gatehouse/backup'],
  },
  files: {
    holds: {
      bytes: {
        label: 'Files you or our staff attached to a record: pictures, documents, logs',
        category: 'communication',
        purposes: ['enquiries', 'delivery'],
        retention: 'relationship',
        source: 'you',
      },
    },
    by: 'record',
    erase: 'file',
    // As long as their rows in the table of files.
    kept: null,
    check: 'files',
    // Or the bucket of FILES_BUCKET, which is a recipient of its own.
    places: ['/var/lib/gatehouse/files'],
  },
  pages: {
    // Published records, rendered as for an anonymous caller.
    holds: NO_PERSON,
    by: null,
    erase: 'opaque',
    kept: 'as long as they are published',
    check: 'stores',
    places: [
      '/var/lib/gatehouse/acme',
      '/var/lib/gatehouse/notice',
      '/var/lib/gatehouse/pages',
      '/var/lib/gatehouse/served',
      '/var/lib/gatehouse/site',
      '/var/lib/gatehouse/themes',
    ],
  },
}
