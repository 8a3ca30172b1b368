-- Contacts of earlier releases: the job looks back three days. In the server's time zone, the site's is not known here.
UPDATE "organisations" SET "last_contact_on" = "contacted"."day"
FROM (
  SELECT "organisation", max("last_contact_at")::date AS "day" FROM "tickets"
  WHERE "organisation" IS NOT NULL AND "deleted_at" IS NULL GROUP BY "organisation"
) "contacted"
WHERE "organisations"."id" = "contacted"."organisation" AND "organisations"."deleted_at" IS NULL
  AND ("organisations"."last_contact_on" IS NULL OR "organisations"."last_contact_on" < "contacted"."day");
