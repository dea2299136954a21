//! Compares expectations about dragons, caves and half eyes with the findings.

use super::{GoExpectation, NONE};
use crate::record::expectation::Differences;
use crate::record::go::Analysed;
use crate::scene::Expect;
use tengen_core::Diagnostic;
use tengen_go::board::Vertex;
use tengen_go::dragons::EyeMap;
use tengen_go::eyes::topology::HalfEyeKind;
use tengen_go::worms::WormColor;

impl GoExpectation<'_> {
    /// Compares `Dragon` and `HalfEye`.
    pub(super) fn compare_dragon(
        &self,
        analysed: &Analysed,
        differences: &mut Differences,
    ) -> Result<(), Diagnostic> {
        if let Expect::HalfEye { at, is } = self.expect {
            return self.compare_half_eye(analysed, at, *is, differences);
        }
        let Expect::Dragon {
            at,
            with,
            apart,
            color,
            size,
            eyes,
            status,
            half_eyes,
            escape,
            surround,
            origin,
            border,
            effective_size,
            lunch,
            safety,
            semeai,
        } = self.expect
        else {
            return Ok(());
        };
        let board = &analysed.input.position.board;
        let (Some(dragons), Some(caves)) = (analysed.dragons(), analysed.caves()) else {
            return Err(self.missing("Dragons"));
        };
        let v = self.vertex(analysed.input, at)?;
        // A dragon or a cave by its number.
        let unit = |v: Vertex| (dragons.index[v.at()], caves.index[v.at()]);
        for (names, together) in [(with, true), (apart, false)] {
            for name in names {
                let other = self.vertex(analysed.input, name)?;
                if (unit(other) == unit(v)) != together {
                    differences
                        .say(format!("{at} and {name} are {}", if together { "apart" } else { "together" }));
                }
            }
        }
        let found = dragons.at(v).map(|d| (WormColor::from(d.color), d.size()));
        let found = found.or_else(|| caves.at(v).map(|c| (c.color, usize::from(c.size))));
        let Some((found_color, found_size)) = found else { return Err(self.missing("Dragons")) };
        differences.field("color", *color, found_color);
        differences.field("size", *size, found_size);
        let found_origin = dragons.at(v).map(|d| d.origin).or_else(|| caves.at(v).map(|c| c.origin));
        let name = |v: Option<Vertex>| v.map_or_else(|| NONE.to_owned(), |v| v.to_gtp(board.size()));
        differences.field("origin", origin.clone(), name(found_origin));
        let found_border = caves.at(v).and_then(|c| c.border);
        if !self.is_same(analysed, border.as_ref(), found_border, |a, b| dragons.same(a, b))? {
            differences.say(format!("border is {}", name(found_border)));
        }
        let found_lunch = dragons.at(v).and_then(|d| d.lunch);
        if !self.is_same(analysed, lunch.as_ref(), found_lunch, |a, b| board.same_string(a, b))? {
            differences.say(format!("lunch is {}", name(found_lunch)));
        }
        if let Some(dragon) = dragons.at(v) {
            differences.near("effective_size", *effective_size, dragon.effective_size, 0.005);
            differences.field("safety", *safety, dragon.safety);
            differences.field("semeai", *semeai, dragon.semeai.count > 0);
            differences.field("eyes", *eyes, (dragon.genus.min_eyes(), dragon.genus.max_eyes()));
            differences.field("status", *status, dragon.status);
            differences.field("half eyes", *half_eyes, dragon.heyes);
            differences.field("the escape route", *escape, dragon.escape_route);
            differences.field("surround", *surround, dragon.surround.status);
        } else if eyes.is_some() || status.is_some() || safety.is_some() {
            return Err(self
                .case
                .fault(at, format!("`{at}` is empty: a cave has no eyes and no status"))
                .help("name a stone of the dragon"));
        }
        debug_assert_eq!(board.is_empty(v), dragons.at(v).is_none());
        Ok(())
    }

    fn compare_half_eye(
        &self,
        analysed: &Analysed,
        at: &str,
        is: Option<HalfEyeKind>,
        differences: &mut Differences,
    ) -> Result<(), Diagnostic> {
        let eyes: &EyeMap = analysed.eyes().ok_or_else(|| self.missing("Dragons"))?;
        let found = eyes.half_eye(self.vertex(analysed.input, at)?).map(|half| half.kind);
        if found != is {
            let word = |kind: Option<HalfEyeKind>| {
                kind.map_or("neither half nor false".into(), |k| format!("{k:?}"))
            };
            differences.say(format!("the eye at {at} is {}, not {}", word(found), word(is)));
        }
        Ok(())
    }
}
