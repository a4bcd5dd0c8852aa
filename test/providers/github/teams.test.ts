import { describe, expect, it } from 'vitest'
import { driveGitHub } from './drive.ts'

describe('a team', () => {
  it('is created, and then nothing differs', async () => {
    await using drive = await driveGitHub([
      { type: 'github_team', name: 'core', spec: { name: 'Core', description: 'The core', privacy: 'closed' } },
      { type: 'github_team', name: 'docs', spec: { name: 'Docs', privacy: 'closed', parent: 'Core' } },
    ])
    const { lines } = await drive.settle()
    expect(lines.map(([line]) => line)).toEqual(['POST /orgs/acme/teams', 'POST /orgs/acme/teams'])
    expect((await drive.check()).plan).toMatchObject({ inSync: true, commands: [] })
    expect(drive.github.violations).toEqual([])
  })
})
