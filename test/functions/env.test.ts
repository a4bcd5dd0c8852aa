import { describe, expect, test } from 'vitest'
import { readEnv } from '../../functions/env.ts'

const least = { TABLE_NAME: 'plumbline' }

test('the required variables are enough, and the others have defaults', () => {
  const env = readEnv(least)
  expect(env).toEqual({
    TABLE_NAME: 'plumbline',
    CONCURRENCY: 10,
    LEASE_SECONDS: 30,
    KEPT_DAYS_IN_SYNC: 30,
    KEPT_DAYS_OTHER: 400,
    KEPT_DAYS_BACKUP: 90,
    OVERDUE_AFTER_MINUTES: 30,
    SCOPE_PREFIX: '',
    SECRET_NAMES: [],
  })
  expect(Object.isFrozen(env)).toBe(true)
})

test('all variables are read', () => {
  expect(
    readEnv({
      TABLE_NAME: 't',
      TOPIC_ARN: 'arn:aws:sns:eu-central-1:1:alerts',
      CHECK_QUEUE_URL: 'https://sqs.eu-central-1.amazonaws.com/1/checks',
      APPLY_QUEUE_URL: 'http://127.0.0.1:4566/1/applies.fifo',
      SEAL_KEY_ID: 'arn:aws:kms:eu-central-1:1:key/1',
      SECRET_NAMES: 'plumbline/{workspace}/*,plumbline/shared/*',
      CONCURRENCY: '50',
      LEASE_SECONDS: '60',
      KEPT_DAYS_IN_SYNC: '7',
      KEPT_DAYS_OTHER: '36500',
      KEPT_DAYS_BACKUP: '1',
      OVERDUE_AFTER_MINUTES: '45',
      REQUIRED_SCOPES_IAM: '{"arn:aws:sts::1:assumed-role/ci/*":"read check:acme-*"}',
      SCOPE_PREFIX: 'plumbline/',
      PATH: '/bin',
    }),
  ).toMatchObject({
    CONCURRENCY: 50,
    LEASE_SECONDS: 60,
    KEPT_DAYS_IN_SYNC: 7,
    KEPT_DAYS_OTHER: 36_500,
    KEPT_DAYS_BACKUP: 1,
    OVERDUE_AFTER_MINUTES: 45,
    REQUIRED_SCOPES_IAM: {
      'arn:aws:sts::1:assumed-role/ci/*': [
        { scope: 'read', workspaces: '*' },
        { scope: 'check', workspaces: 'acme-*' },
      ],
    },
    SCOPE_PREFIX: 'plumbline/',
  })
})

describe('an invalid environment', () => {
  test.each([
    [{ TABLE_NAME: undefined }, 'TABLE_NAME is not set'],
    [{ TABLE_NAME: '' }, 'TABLE_NAME is empty'],
    [{ TOPIC_ARN: 'alerts-xyzzy' }, 'TOPIC_ARN is not an ARN'],
    [{ CHECK_QUEUE_URL: 'xyzzy' }, 'CHECK_QUEUE_URL is not a URL'],
    [{ APPLY_QUEUE_URL: 'https://sqs/1/xyzzy' }, 'APPLY_QUEUE_URL does not end in .fifo'],
    [{ SEAL_KEY_ID: 'xyzzy' }, 'SEAL_KEY_ID is not an ARN'],
    [{ CONCURRENCY: 'xyzzy' }, 'CONCURRENCY is not a whole number'],
    [{ CONCURRENCY: '0' }, 'CONCURRENCY is less than 1'],
    [{ KEPT_DAYS_OTHER: '0' }, 'KEPT_DAYS_OTHER is less than 1'],
    [{ KEPT_DAYS_BACKUP: '36501' }, 'KEPT_DAYS_BACKUP is more than 36500'],
    [{ LEASE_SECONDS: '1e9' }, 'LEASE_SECONDS is not a whole number'],
    [{ LEASE_SECONDS: '99999' }, 'LEASE_SECONDS is more than 900'],
    [{ REQUIRED_SCOPES_IAM: 'xyzzy' }, 'REQUIRED_SCOPES_IAM is not JSON'],
    [{ REQUIRED_SCOPES_IAM: '{"xyzzy":"read","xyzzy":"apply"}' }, 'REQUIRED_SCOPES_IAM has one member twice'],
    [{ REQUIRED_SCOPES_IAM: '{"arn":"xyzzy"}' }, 'REQUIRED_SCOPES_IAM grants something else'],
    [{ REQUIRED_SCOPES_IAM: '{"arn":"apply:XYZZY"}' }, 'REQUIRED_SCOPES_IAM grants something else'],
  ])('refuses %j, and names only the variable', (wrong, message) => {
    const read = () => readEnv({ ...least, ...wrong })
    expect(read).toThrow(
      expect.objectContaining({ code: 'ENVIRONMENT_INVALID', message: expect.stringContaining(message) }),
    )
    expect(read).not.toThrow(/xyzzy/)
  })

  test('has all of its problems reported at once', () => {
    expect(() => readEnv({ CONCURRENCY: 'a', LEASE_SECONDS: 'b' })).toThrow(/TABLE_NAME.*CONCURRENCY.*LEASE_SECONDS/)
  })
})
