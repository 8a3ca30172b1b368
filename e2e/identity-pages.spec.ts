import { expect, test } from './kit.ts'
import { expectAccessibleScreen, NARROW, WIDE } from './identity-kit.ts'
import { seeIdentityPages } from './identity-pages.ts'

test.setTimeout(300_000)

// Two tests, which run side by side: this is the longest journey of all.
for (const size of [WIDE, NARROW])
  test(`axe finds nothing on every page of sign-in, registration, reset, second factors and account (both themes, ${size.width} wide)`, async ({
    page,
  }) => {
    const seen: string[] = []
    await seeIdentityPages(page, async (at, name) => {
      if (!name.startsWith('account')) {
        await expect(at.locator('body')).toHaveClass(/gh-kc/)
        await expect(at.getByText('We never ask for your password')).toBeVisible()
      }
      await expectAccessibleScreen(at, name, size)
      seen.push(name)
    })
    expect(seen.length).toBeGreaterThan(25)
  })
