"""The vectors of the fixed texts that come with the program are those that the builtin model makes."""

from __future__ import annotations

import numpy as np

from tray_app.embed.builtin import BuiltinEmbedder
from tray_app.indexing.embedding import Texts, calibration_texts, shipped_calibration
from tray_app.text.languages import language_of


def test_they_are_of_the_texts_and_the_model_that_are_there() -> None:
    model, texts = BuiltinEmbedder(), calibration_texts()
    found = shipped_calibration(model.space().key, texts)
    assert found is not None, "run installer/calibration.py"
    assert len(found.questions) == len(texts.questions) and len(found.statements) == len(texts.statements)
    assert found.question_languages.tolist() == [language_of(text) for text in texts.questions]
    np.testing.assert_allclose(found.statements[:4], model.documents(texts.statements[:4]), atol=2e-3)
    np.testing.assert_allclose(found.questions[-1], model.query(texts.questions[-1]), atol=2e-3)


def test_other_spaces_and_other_texts_have_none() -> None:
    texts = calibration_texts()
    assert shipped_calibration("ollama|bge-m3|1024||unit", texts) is None
    fewer = Texts(texts.questions[1:], texts.statements)
    assert shipped_calibration(BuiltinEmbedder().space().key, fewer) is None
