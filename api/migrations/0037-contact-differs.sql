-- Contradictions of older releases alone: an empty column says that nothing is known to differ.
UPDATE "tickets" SET "contact_differs" = true FROM "contacts"
  WHERE "contacts"."id" = "tickets"."contact" AND "contacts"."deleted_at" IS NULL
    AND "contacts"."organisation" <> "tickets"."organisation";
